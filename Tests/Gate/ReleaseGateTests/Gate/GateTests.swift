import Foundation
import Signet
import SignetArchive
import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import GateTestSupport
@testable import ReleaseGate

@Suite struct GateTests {
  @Test("a clean release has no finding, and a line for every file")
  func clean() throws {
    let release = try ReleaseFolder()
    try release.add("linux/tool", "linux")
    try release.add("macos/tool", "macos")
    try release.write("docs/index.txt", "index")
    try release.write("docs/more/page.txt", "page")
    try release.sign("docs")
    try release.write("NOTES.md", "notes")
    try release.link("latest", to: "linux/tool")
    let report = try release.check(rules: #"{"link": {"allow": ["latest"]}}"#, exclude: ["*.md"])
    #expect(report.lines == [])
    #expect(report.isClean)
    #expect(
      try release.check(exclude: ["*.md"]).lines == [
        "link | latest | is a link that nobody has signed | a signed file | a link to linux/tool"
      ])
    #expect(
      report.files.map { "\($0.kind) \($0.path) \($0.role.words)" } == [
        "file NOTES.md excluded by *.md", "directory docs directory by \(release.signer.publicKey.id)",
        "file docs.sigstore.json bundle of docs", "link latest link to linux/tool",
        "file linux/tool file by \(release.signer.publicKey.id)",
        "file linux/tool.sigstore.json bundle of linux/tool",
        "file macos/tool file by \(release.signer.publicKey.id)",
        "file macos/tool.sigstore.json bundle of macos/tool",
      ])
    #expect(report.files[4].sha256 == (try Digest.of(Array("linux".utf8), .sha256)))
    #expect(report.files[4].size == 5)
    #expect(report.files[1].size == 9)
    #expect(report.files[3].sha256 == (try Digest.of(Array("linux/tool".utf8), .sha256)))
  }

  @Test("what is not signed, was changed, or is signed by others is refused")
  func refused() throws {
    let release = try ReleaseFolder()
    try release.write("unsigned", "x")
    try release.add("changed", "before")
    try release.write("changed", "after!")
    try release.write("foreign", "x")
    try release.sign("foreign", by: try Signer(PrivateKey.generate(.ed25519)))
    let report = try release.check()
    #expect(!report.isClean)
    #expect(
      report.findings.map { "\($0.rule) \($0.path ?? "") \($0.code ?? "")" } == [
        "signature changed digest.mismatch", "signature foreign signer.untrusted",
        "signature unsigned signature.missing",
      ])
    #expect(report.artifacts.allSatisfy { !$0.artifact.isVerified && $0.state == .refused })
  }

  @Test("two files of the same name in two folders cannot be exchanged with their bundles")
  func exchanged() throws {
    let release = try ReleaseFolder()
    try release.add("a/tool", "one")
    try release.add("b/tool", "two")
    for suffix in ["", ".sigstore.json"] {
      let first = release.file("a/tool\(suffix)")
      try FileManager.default.moveItem(atPath: first, toPath: release.file("x"))
      try FileManager.default.moveItem(atPath: release.file("b/tool\(suffix)"), toPath: first)
      try FileManager.default.moveItem(atPath: release.file("x"), toPath: release.file("b/tool\(suffix)"))
    }
    let report = try release.check()
    #expect(
      report.lines == [
        "name | a/tool | is signed under another name | a/tool | b/tool",
        "name | b/tool | is signed under another name | b/tool | a/tool",
      ])
    #expect(!report.isClean)
  }

  @Test("a bundle without its artifact is found, an attestation of an artifact is not an orphan")
  func bundles() throws {
    let release = try ReleaseFolder()
    try release.add("tool")
    try release.add("gone")
    try FileManager.default.removeItem(atPath: release.file("gone"))
    try FileManager.default.copyItem(
      atPath: release.file("tool.sigstore.json"), toPath: release.file("tool.provenance.sigstore.json"))
    // A slash before the last name makes it no attestation of the folder.
    try release.add("mac/tool")
    try release.write("mac/gone.sigstore.json", "anything")
    let report = try release.check(rules: #"{"unverified-attestation": "off"}"#)
    #expect(
      report.lines == [
        "orphan-bundle | gone.sigstore.json | is a bundle of no artifact of the release | gone | nothing",
        "orphan-bundle | mac/gone.sigstore.json | is a bundle of no artifact of the release | mac/gone | nothing",
      ])
  }

  @Test("a file that is named as an attestation, and is none, refuses the release")
  func falseAttestation() throws {
    let release = try ReleaseFolder()
    try release.add("tool")
    try release.write("tool.more.sigstore.json", "anything")
    let report = try release.check()
    #expect(!report.isClean)
    #expect(report.findings.map { "\($0.rule) \($0.code ?? "")" } == ["unverified-attestation signature.malformed"])
  }

  @Test("a level changes what refuses a release, and a rule that is off finds nothing")
  func levels() throws {
    let release = try ReleaseFolder()
    try release.write("unsigned", "x")
    #expect(try !release.check().isClean)
    let warned = try release.check(rules: #"{"signature": "warning"}"#)
    #expect(warned.isClean)
    #expect(warned.findings.map(\.level) == [.warning])
    var options = Gate.Options()
    options.failingLevel = .warning
    #expect(try !release.check(rules: #"{"signature": "warning"}"#, options).isClean)
    #expect(try release.check(rules: #"{"signature": "off"}"#).lines == [])
  }

  @Test("a rule that fails ends the check")
  func failingRule() throws {
    struct Failing: ArtifactRule {
      static let about = RuleDescription("failing", "fails", help: "", .error)
      init(_ options: inout RuleOptions) {}
      func check(
        _ artifact: ExaminedArtifact, _ findings: inout RuleFindings
      ) throws(SignetError) {
        throw SignetError(.fileReadFailed, artifact.path, "fails")
      }
    }
    let release = try ReleaseFolder()
    try release.add("b")
    try release.add("a")
    var options = RuleOptions.none
    let settings = RuleSettings([RuleSettings.Active(rule: Failing(&options), about: Failing.about, level: .error)])
    let gate = Gate(
      policy: ReleasePolicy(trust: try TrustPolicy(trusting: [release.signer.publicKey]), settings: settings),
      called: GateReport.Policy(name: "test", sha256: nil), clock: .fixed(ReleaseFolder.time), version: "1")
    let error = expectError(.fileReadFailed) { _ = try gate.check([release.path]) }
    #expect(error?.object == "a")
  }

  @Test("damage that no rule answers for ends the check, and any rule may answer", arguments: [false, true])
  func answers(_ answers: Bool) throws {
    struct Answering: DamageRule {
      static let about = RuleDescription("answering", "answers", help: "", .error)
      let answers: Bool
      init(_ options: inout RuleOptions) { answers = false }
      init(answers: Bool) { self.answers = answers }
      func check(
        _ damage: SignetError, of entry: String, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
      ) throws(SignetError) -> Bool { answers }
    }
    let rule = Answering(answers: answers)
    var notes = RuleNotes(
      ExaminedArtifact(
        path: "app.zip", isDirectory: false, size: 0, sha256: try Digest.of([], .sha256), .notVerified),
      RuleSettings([RuleSettings.Active(rule: rule, about: Answering.about, level: .error)]))
    let damage = SignetError(.archiveData, "a", "has damaged compressed data")
    if answers {
      try notes.note(damage, of: "a", isLost: true)
    } else {
      let error = expectError(.archiveData) { try notes.note(damage, of: "a", isLost: true) }
      #expect(error?.object == "app.zip: a")
    }
    #expect(notes.findings.isEmpty)
  }

  @Test("what may not be in a release ends the check")
  func errors() throws {
    func check(_ code: SignetError.Code, _ change: (ReleaseFolder) throws -> Void) throws {
      let release = try ReleaseFolder()
      try release.add("tool")
      try change(release)
      expectError(code) { _ = try release.check() }
    }
    try check(.gateLink) { try $0.link("out", to: "../elsewhere") }
    try check(.gateLink) { try $0.link("out", to: "/etc/passwd") }
    try check(.gateLink) { try $0.link("dangling", to: "nothing") }
    try check(.gateLink) { release in
      try release.link("circle", to: "round")
      try release.link("round", to: "circle")
    }
    try check(.gateLink) { release in
      try release.add("folder/file")
      try release.link("through", to: "folder")
      try release.link("link", to: "through/file")
    }
    // The system would follow `folder` before it goes up.
    try check(.gateLink) { release in
      try release.add("elsewhere")
      try release.link("a/b/c/folder", to: "../../../tool")
      try release.link("a/b/c/link", to: "folder/../../elsewhere")
    }
    try check(.gateSpecialFile) { mkfifo($0.file("pipe"), 0o600) }
    try check(.pathNotUTF8) { release in
      var name = Array(release.file("x").utf8CString)
      name[name.count - 2] = CChar(bitPattern: 0xff)
      close(open(name, O_CREAT | O_WRONLY, 0o600))
    }
  }

  @Test("a release without artifacts is refused, unless it may be empty")
  func empty() throws {
    let release = try ReleaseFolder()
    try release.write("NOTES.md", "notes")
    let error = expectError(.gateEmpty) { _ = try release.check(exclude: ["*.md"]) }
    #expect(error?.object == release.path)
    var options = Gate.Options()
    options.allowsEmpty = true
    #expect(try release.check(exclude: ["*.md"], options).isClean)
    expectError(.gateEmpty) { _ = try release.gate().check([]) }
    // Another folder with artifacts does not stand for it.
    let other = try ReleaseFolder("other", in: release.folder, signer: release.signer)
    try other.add("tool")
    expectError(.gateEmpty) { _ = try release.gate(exclude: ["*.md"]).check([other.path, release.path]) }
  }

  @Test("a path in two folders ends the check")
  func duplicate() throws {
    let first = try ReleaseFolder()
    let second = try ReleaseFolder("other", in: first.folder, signer: first.signer)
    try first.add("tool")
    try second.add("tool")
    expectError(.gateDuplicatePath) { _ = try first.gate().check([first.path, second.path]) }
  }

  @Test("a release is not compared with itself, by whatever path")
  func sameFolder() throws {
    let release = try ReleaseFolder()
    try release.add("sub/tool")
    symlink(release.path, release.folder.file("link"))
    for path in [release.path, release.file("sub"), release.folder.path, release.folder.file("link/sub")] {
      var options = Gate.Options()
      options.rebuild = path
      expectError(.gateSameFolder) { _ = try release.check(options) }
      options.rebuild = nil
      options.baseline = path
      #expect(expectError(.gateSameFolder) { _ = try release.check(options) }?.object == path)
    }
  }

  @Test("folders share one limit of entries and of paths")
  func budget() throws {
    let release = try ReleaseFolder()
    for name in ["a", "b", "c"] { try release.write("\(name)/\(name)", "x") }
    let folders = ["a", "b", "c"].map { release.file($0) }
    func count(_ limits: DirectoryScan.Limits) throws -> Int { try ReleaseFiles.scan(folders, limits).count }
    #expect(try count(DirectoryScan.Limits(entries: 3, pathLength: 9, depth: 1, allPaths: 3)) == 3)
    expectError(.directoryEntryCount) {
      _ = try count(DirectoryScan.Limits(entries: 2, pathLength: 9, depth: 1, allPaths: 3))
    }
    expectError(.pathBounds) { _ = try count(DirectoryScan.Limits(entries: 3, pathLength: 9, depth: 1, allPaths: 2)) }
  }

  @Test("a policy of the release itself does not judge it")
  func policyPlace() throws {
    let release = try ReleaseFolder()
    try release.add("release.json", "{}")
    var options = Gate.Options()
    options.outsideFiles = ["/nowhere", release.file("release.json")]
    let error = expectError(.gatePolicyPlace) { _ = try release.check(options) }
    #expect(error?.found == "release.json")
    // By another name, it is the same file.
    let other = release.folder.file("elsewhere.json")
    try FileManager.default.linkItem(atPath: release.file("release.json"), toPath: other)
    options.outsideFiles = [other]
    expectError(.gatePolicyPlace) { _ = try release.check(options) }
  }

  @Test("a policy with open points lets nothing pass")
  func review() throws {
    let release = try ReleaseFolder()
    try release.add("tool")
    let policy = ReleasePolicy(
      trust: try TrustPolicy(trusting: [release.signer.publicKey]), reviews: ["look at this", "and at that"])
    let gate = Gate(
      policy: policy, called: GateReport.Policy(name: "p.json", sha256: nil), clock: .fixed(ReleaseFolder.time),
      version: "1")
    let error = expectError(.gateReview) { _ = try gate.check([release.path]) }
    #expect(error?.object == "p.json")
    #expect(error?.found == "look at this")
  }

  @Test("what was written, added or removed after the scan is noticed", arguments: ["write", "add", "remove"])
  func changes(kind: String) throws {
    let release = try ReleaseFolder()
    try release.add("tool")
    let files = try ReleaseFiles(in: [release.path], excluding: [])
    try files.checkUnchanged()
    switch kind {
    case "write": try release.write("tool", "other content")
    case "add": try release.write("folder/more", "x")
    default: try FileManager.default.removeItem(atPath: release.file("tool.sigstore.json"))
    }
    expectError(.fileChanged) { try files.checkUnchanged() }
  }
}

extension GateReport.Role {
  /// The role in words.
  fileprivate var words: String {
    switch self {
    case .artifact(let artifact):
      "\(artifact.verified?.kind.word ?? "refused") by \(artifact.signers.map(\.keyID).joined())"
    case .bundle(let of): "bundle of \(of)"
    case .excluded(let by): "excluded by \(by)"
    case .link(let to): "link to \(to)"
    }
  }
}
