@testable import ReleaseGate
@testable import SignetArchive
@testable import SignetBase
@testable import SignetCrypto
@testable import SignetModules
@testable import SignetNames
@testable import SignetSigning
@testable import SignetSystem
@testable import SignetVerify

/// Files of any kind, as the release gate meets them: it looks into whatever seems to hold other files.
enum FedContainers {
  /// A key in a file that is no container. Whatever is before it, it must be found.
  private static let key = Array(
    """

    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
    -----END PRIVATE KEY-----
    """.utf8)

  /// The walk ends, notes nothing twice, and passes over nothing in silence.
  static func feed(_ bytes: [UInt8]) {
    // The first byte says how the file is named.
    let names = ["a", "a.zip", "a.tar", "a.tar.gz", "a.tar.xz"]
    guard let first = bytes.first else { return }
    let content = Array(bytes.dropFirst())
    let name = names[Int(first) % names.count]
    let findings = walk(content, name)
    require(findings.count <= 101 * RuleList.all.count, "there are more findings than a rule may have")
    require(
      findings.allSatisfy { $0.path.map { $0.utf8.elementsEqual(name.utf8) } ?? false },
      "a finding is about another file")
    guard ContainerFormat(content + key) == nil, ContainerFormat(named: name) == nil else { return }
    require(walk(content + key, name).contains { $0.rule == "private-key" }, "a key is not found")
  }

  private static func walk(_ bytes: [UInt8], _ name: String) -> [GateReport.Finding] {
    guard let sha256 = try? Digest.of([], .sha256) else { return [] }
    let artifact = ExaminedArtifact(
      path: name, isDirectory: false, size: bytes.count, sha256: sha256, .notVerified)
    var walk = ContentWalk(artifact, settings)
    do throws(SignetError) {
      try walk.read(artifact: BytesInMemory(bytes, path: name), named: name, mode: 0o644)
    } catch {
      require(false, "a file cannot be read: \(error)")
    }
    return walk.findings
  }

  /// All rules, with those that are usually off.
  private static let settings: RuleSettings = {
    let text = Array(#"{"archive-form": "warning", "signature": "off"}"#.utf8)
    guard let value = try? JSONReader.read(text, limits: .policy),
      let object = try? JSONObject(value, "rules", unknownField: .policyUnknownField),
      let settings = try? RuleSettings(object)
    else { return RuleSettings() }
    return settings
  }()
}
