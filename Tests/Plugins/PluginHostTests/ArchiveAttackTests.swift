import Foundation
import ModuleStore
import Signet
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import HostTestSupport
@testable import PluginHost
@testable import SignetArchive

/// Archives that somebody has added to, and archives with hostile names.
///
/// Each is offered in two ways: with the statement of the honest archive, and with a statement by a trusted signer that
/// is about the hostile bytes but lists the honest contents. In the second way the digest is right, so that the
/// structure alone has to give it away.
@Suite(
  "Attacks inside an archive",
  .enabled(if: ModuleWorkshop.compiler != nil && Program.find("python3") != nil, "a compiler or Python is missing"))
struct ArchiveAttackTests {
  private typealias Workshop = ModuleWorkshop

  /// An attack: what a script does to the archive `z`, or to its bytes.
  struct Attack: CustomTestStringConvertible, Sendable {
    let name: String
    var script = ""
    /// A text in the archive that is replaced by another of the same length.
    var replaced: (String, String)?
    let code: SignetError.Code
    /// The entry that the refusal is about.
    let object: String
    var testDescription: String { name }

    /// Adds a file.
    static func adding(_ path: String, as written: String? = nil, _ code: SignetError.Code) -> Attack {
      Attack(
        name: path, script: "z.writestr('\(written ?? path)', 'x')", replaced: written.map { ($0, path) }, code: code,
        object: path)
    }

    /// Adds a symbolic link.
    static func linking(_ path: String, to target: String, _ code: SignetError.Code) -> Attack {
      Attack(
        name: "\(path) -> \(target)",
        script: """
          i = zipfile.ZipInfo('\(path)'); i.external_attr = 0o120777 << 16; i.create_system = 3
          z.writestr(i, '\(target)')
          """, code: code, object: path)
    }
  }

  static let attacks: [Attack] = [
    .adding("META-INF/x", .moduleContentsMismatch), .adding("lib/arm/x.so", .moduleContentsMismatch),
    .adding("help.txt", .archiveDuplicatePath), .linking("a-link", to: "help.txt", .moduleContentsMismatch),
    .linking("a-link", to: "../../etc/passwd", .pathParent), .linking("a-link", to: "/etc/passwd", .pathAbsolute),
    .adding("../x", .pathParent), .adding("lib/../../x", .pathParent), .adding("/x", .pathAbsolute),
    .adding("a\\x.txt", as: "a_x.txt", .pathBackslash), .adding("a\u{0}x.txt", as: "a_x.txt", .pathControl),
    .adding("HELP.txt", .pathCaseCollision), .adding("help.txt/x", .archivePathConflict),
    Attack(
      name: "a bomb", script: "z.writestr('bomb', bytes(64 << 20), 8)", code: .archiveRatio, object: "bomb"),
  ]

  /// An offered archive, attacked, with its honest statement beside it.
  private func attack(_ attack: Attack, _ workshop: Workshop) throws -> (path: String, honest: SigstoreBundle) {
    let made = try workshop.archive(
      Workshop.page("com.example.entries", route: "ui://entries", answer: "x", files: ["help.txt": "help"]))
    try workshop.write(made.bundles, beside: made.path)
    let python = try #require(Program.find("python3"))
    let script = "import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1], 'a')\n\(attack.script)\nz.close()"
    let run = try Program.run(python, ["-B", "-W", "ignore", "-c", script, made.path], in: workshop.folder.path)
    try #require(run.status == 0, "\(run.errors)")
    if let (old, new) = attack.replaced {
      var bytes = try Data(contentsOf: URL(filePath: made.path))
      var places = 0
      while let range = bytes.firstRange(of: Data(old.utf8)) {
        bytes.replaceSubrange(range, with: Data(new.utf8))
        places += 1
      }
      try #require(places == 2)
      try bytes.write(to: URL(filePath: made.path))
    }
    return (made.path, made.bundles[0])
  }

  /// A statement about these bytes that lists the honest contents, signed by the workshop's key.
  private func forged(_ honest: SigstoreBundle, _ bytes: [UInt8], _ key: PrivateKey) throws -> SigstoreBundle {
    let predicate = try #require(try Statement(payload: honest.envelope.payload).module)
    let about = ModulePredicate(
      module: predicate.module, contents: predicate.contents,
      archive: .init(format: .zip, size: bytes.count, fsverity: try FSVerityDigest(of: bytes)),
      minimumSequence: nil, signers: nil, signedAt: predicate.signedAt, notAfter: nil)
    return try Signer(key).sign(Statement(module: "m", digest: Digest.of(bytes, .sha256), about))
  }

  /// What is below the store's folders for releases and for what is being installed.
  private func leftovers(_ workshop: Workshop) throws -> [String] {
    try ["modules", "staging"].flatMap { folder in
      try FileManager.default.subpathsOfDirectory(atPath: workshop.path + "/" + folder)
    }
  }

  @Test(
    "G3 D5: each addition, each name that leads elsewhere and each link is refused for a reason of its own",
    arguments: attacks)
  func structure(_ attack: Attack) throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    let (path, honest) = try self.attack(attack, workshop)
    let bytes = Array(try Data(contentsOf: URL(filePath: path)))
    try workshop.write([forged(honest, bytes, workshop.key)], beside: path)
    let error = try #require(expectError(attack.code) { try host.install(path) })
    let words = "\(error.object) \(error.message) \(error.found ?? "") \(error.cause.map { "\($0)" } ?? "")"
    let shown = attack.object.replacing("\u{0}", with: "\\u{0}").replacing("\\x", with: "\\")
    #expect(words.contains(attack.object) || words.contains(shown), "\(error)")
    #expect(host.refusals.map(\.reason.code) == [attack.code])
    #expect(try leftovers(workshop).isEmpty)
    expectError(.storeNotInstalled) { try host.load(identifier("com.example.entries")) }
    #expect(workshop.marks.isEmpty)
  }

  @Test(
    "D3 G3: bytes that nobody signed are refused as such, before their structure is looked at", arguments: attacks)
  func bytes(_ attack: Attack) throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    let (path, _) = try self.attack(attack, workshop)
    expectError(.digestMismatch) { try host.install(path) }
    #expect(host.refusals.map(\.reason.code) == [.digestMismatch])
    #expect(try leftovers(workshop).isEmpty)
    #expect(workshop.marks.isEmpty)
  }

  @Test("G3: an entry that is missing is refused, and so is a listed file that is a link")
  func missing() throws {
    let python = try #require(Program.find("python3"))
    for (change, found) in [("pass", "found lib"), ("z.writestr(link, 'module.json')", "help.txt")] {
      let workshop = try Workshop()
      let host = try workshop.host()
      let none = Attack(name: "none", code: .moduleContentsMismatch, object: "")
      let (path, honest) = try attack(none, workshop)
      let script = """
        import sys, zipfile
        old = zipfile.ZipFile(sys.argv[1])
        z = zipfile.ZipFile(sys.argv[1] + '.new', 'w')
        for i in old.infolist():
            link = zipfile.ZipInfo('help.txt'); link.external_attr = 0o120777 << 16; link.create_system = 3
            if i.filename == 'help.txt': \(change)
            else:
                new = zipfile.ZipInfo(i.filename); new.external_attr = i.external_attr; new.create_system = 3
                z.writestr(new, old.read(i))
        z.close()
        """
      let run = try Program.run(python, ["-B", "-c", script, path], in: workshop.folder.path)
      try #require(run.status == 0, "\(run.errors)")
      let bytes = Array(try Data(contentsOf: URL(filePath: path + ".new")))
      try Data(bytes).write(to: URL(filePath: path))
      try workshop.write([forged(honest, bytes, workshop.key)], beside: path)
      let error = try #require(expectError(.moduleContentsMismatch) { try host.install(path) })
      #expect("\(error)".contains("help.txt") && "\(error)".contains(found), "\(error)")
      #expect(try leftovers(workshop).isEmpty)
    }
  }
}
