import Foundation
import SignetAddresses
import SignetArchive
import SignetBase
import SignetCrypto
import SignetKeys
import SignetSystem
import TestSupport
import Testing

@testable import SignetModules
@testable import SignetSigning
@testable import SignetVerify

/// What is decided by the code of an error is decided by lists of codes. A code that a list forgets would be taken for
/// something else, so each list is held against all codes in the sources.
@Suite struct ErrorCodeTests {
  /// All codes that the sources declare, by their areas.
  private static let declared = Result { () throws -> [Substring: Set<SignetError.Code>] in
    let sources = Repository.root + "/Sources"
    let files = try #require(FileManager.default.enumerator(atPath: sources)).compactMap { $0 as? String }
    var found: [Substring: Set<SignetError.Code>] = [:]
    for file in files where file.hasSuffix(".swift") && !file.contains("SignetCLI/") && !file.contains("PluginKit/") {
      let text = try String(contentsOfFile: "\(sources)/\(file)", encoding: .utf8)
      guard text.contains("= Self(\"") else { continue }
      for match in text.matches(of: /static let \w+ = Self\("([a-z0-9-]+)\.([a-z0-9.-]+)", \.\w+\)/) {
        found[match.output.1, default: []].insert(SignetError.Code("\(match.output.1).\(match.output.2)"))
      }
    }
    return found
  }

  private static func codes(_ area: String) throws -> Set<SignetError.Code> { try declared.get()[area[...]] ?? [] }

  @Test(
    "a list of codes about something has all of them",
    arguments: [
      ("json", Set.aboutJSON, []), ("file", .aboutFiles, []), ("output", .aboutOutputs, []),
      // These are about where keys lie, and not about the keys.
      ("key", .aboutKeys, [.keyOthersMayRead, .keyPinMismatch]),
      ("certificate", .aboutCertificates, []), ("crl", .aboutRevocationLists, []), ("archive", .aboutArchives, []),
      ("path", .aboutPaths, []), ("policy", .aboutPolicies, []), ("directory", .aboutDirectories, []),
      ("signer", .aboutSigners, []), ("chain", .aboutChains, []),
      ("statement", .aboutStatements, []),
      // These are about what is fetched, and not about the transfer.
      ("fetch", .aboutTransfers, [.init("fetch.item"), .init("fetch.busy"), .init("fetch.other-release")]),
    ] as [(String, Set<SignetError.Code>, Set<SignetError.Code>)])
  func isWhole(area: String, codes: Set<SignetError.Code>, others: Set<SignetError.Code>) throws {
    #expect(codes.union(others) == (try Self.codes(area)))
    #expect(codes.isDisjoint(with: others))
  }

  @Test("a failure to read says nothing about what is read")
  func reading() throws {
    let failures = try Self.codes("file").union(Self.codes("crypto")).union(Self.codes("extraction"))
    for area in ["file", "crypto", "extraction", "archive", "path", "signature", "policy"] {
      for code in try Self.codes(area) {
        #expect(SignetError(code, "x", "y").isAboutReading == failures.contains(code), "\(code)")
      }
    }
  }
}
