internal import ModuleStore
internal import Signet
internal import SignetBase
internal import SignetCLI

/// What is installed in a store, as a table for people.
struct ReleaseTable {
  private let rows: [[String]]

  init(_ releases: [StoredRelease]) {
    rows = releases.map { release in
      let version = (try? release.standing.get()).map { "\($0.module.version)" } ?? "-"
      return ["\(release.identifier)", version, "\(release.sequence)", release.state]
    }
  }

  /// A heading, and a line for each release.
  var lines: [String] {
    guard !rows.isEmpty else { return ["nothing is installed"] }
    let all = [["module", "version", "sequence", "state"]] + rows
    let widths = (0..<3).map { column in (all.map { Wrapping.columns(of: $0[column][...]) }.max() ?? 0) + 2 }
    return all.map { row in
      zip(row, widths).map { Wrapping.padded($0, $1) }.joined() + row[3]
    }
  }
}

extension StoredRelease {
  /// The state of the release, in words.
  fileprivate var state: String {
    if case .failure(let error) = standing {
      return "\(Report.verdict(of: error)): \(error.message.display) [\(error.code)]"
    }
    if isSetAside { return "set aside: hosts have crashed with it \(crashes) times" }
    let held = isHeldBack ? ", after the others: a host may have crashed with it" : ""
    if isActive { return "in use: hosts load it\(held)" }
    return "kept: hosts may fall back to it\(held)"
  }
}
