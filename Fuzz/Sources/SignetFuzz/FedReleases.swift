@testable import GateReports
@testable import ReleaseContents
@testable import ReleaseGate
@testable import SignetArchive
@testable import SignetBase
@testable import SignetELF
@testable import SignetModules
@testable import SignetNames
@testable import SignetSigning
@testable import SignetVerify

/// Policies and reports of the release gate that the fuzzer makes up.
enum FedReleases {
  /// What is accepted reads the same again, and its patterns can be asked.
  static func feedPolicy(_ bytes: [UInt8]) {
    guard let policy = try? ReleasePolicy(json: bytes) else { return }
    require(policy.exclusions.allSatisfy { PathPattern($0.description) == $0 }, "a pattern changed")
    _ = policy.exclusions.map { $0.covers("a/b/c.d") }
    let rules = policy.settings.active.map(\.about.id)
    require(Set(rules).count == rules.count, "a rule is active twice")
  }

  /// What is accepted has each path once, in order, and none that leads out.
  static func feedReport(_ bytes: [UInt8]) {
    guard let listing = try? JSONReport.Listing(reading: bytes) else { return }
    for paths in [listing.entries.map(\.path), listing.folders.map(\.path)] {
      require(zip(paths, paths.dropFirst()).allSatisfy { $0.precedesInBytes($1) }, "paths are out of order")
      for path in paths {
        let names = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        require(
          names.allSatisfy { !$0.isEmpty && Array($0) != [0x2e] && Array($0) != [0x2e, 0x2e] }, "a path leads out")
      }
    }
    require(listing.entries.allSatisfy { $0.size >= 0 && $0.mode ?? 0 <= 0o7777 }, "a number has no meaning")
  }
}
