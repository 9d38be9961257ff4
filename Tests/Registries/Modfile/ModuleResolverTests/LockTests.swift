import ModuleResolver
import Signet
import SignetBase
import SignetCrypto
import TestSupport
import Testing

@Suite struct LockTests {
  private static let digest = "sha256:" + String(repeating: "0", count: 64)
  private static let module = """
    module com.a 1.0.0
      source main
      sequence 12
      archive \(digest)
      description \(digest)
      signer \(signer)
      requires com.b >=1.0.0 <2.0.0

    """
  private static let good = "Modfile.lock 1\n\n" + module + "\nmodule com.b 0.1.0-a+b\n  path ../b c\n  sequence 1\n"

  @Test("a lock is read, and written with the same bytes")
  func same() throws {
    let read = try ModuleLock(Array(Self.good.utf8))
    #expect(read.text == Self.good)
    #expect(read[try identifier("com.b")]?.origin == .override(.path(try FolderPath("../b c"))))
    #expect(read[try identifier("com.c")] == nil)
    #expect(try ModuleLock(Array("Modfile.lock 1\n".utf8)).modules.isEmpty)
    // The order in which modules are given does not matter.
    #expect(try ModuleLock(read.modules.reversed()).text == Self.good)
    expectError(.lockfileOrder) { _ = try ModuleLock(read.modules + read.modules.prefix(1)) }
    // How it is known who signed is a line of its own, and none where they were verified.
    #expect(read[try identifier("com.a")]?.served?.standing == .verified)
    for standing in LockedModule.Served.Standing.allCases where standing != .verified {
      let text = Self.good.replacing(
        "  requires", with: "  signers \(standing.rawValue)\n  requires")
      let marked = try ModuleLock(Array(text.utf8))
      #expect(marked[try identifier("com.a")]?.served?.standing == standing && marked.text == text)
    }
    // Build metadata makes another lock, though the versions are equal (Semantic Versioning, item 10).
    #expect(try ModuleLock(Array(Self.good.replacing("0.1.0-a+b", with: "0.1.0-a+c").utf8)) != read)
  }

  @Test(
    "any other text is refused with its code and line",
    arguments: [
      // The whole.
      ("", "", "lockfile.syntax", 1), ("Modfile.lock 1\n", "Modfile.lock 2\n", "lockfile.version", 1),
      ("Modfile.lock 1\n", "Modfile.lock 1 \n", "lockfile.version", 1),
      ("Modfile.lock 1\n", "\n", "lockfile.syntax", 1),
      ("Modfile.lock 1\n", "\u{feff}Modfile.lock 1\n", "lockfile.encoding", 1),
      ("  sequence 1\n", "  sequence 1", "lockfile.syntax", 13),
      ("  sequence 1\n", "  sequence 1\n\n", "lockfile.syntax", 15),
      ("Modfile.lock 1\n\n", "Modfile.lock 1\n", "lockfile.syntax", 2),
      ("Modfile.lock 1\n\n", "Modfile.lock 1\n\n\n", "lockfile.syntax", 3),
      // Conflict markers.
      ("  sequence 12\n", "<<<<<<< ours\n  sequence 12\n", "lockfile.merge-marker", 5),
      ("  sequence 12\n", "=======\n", "lockfile.merge-marker", 5),
      ("  sequence 12\n", ">>>>>>> x\n", "lockfile.merge-marker", 5),
      ("  sequence 12\n", "||||||| base\n", "lockfile.merge-marker", 5),
      // Characters.
      ("  sequence 12\n", "  sequence 12\r\n", "lockfile.character", 5),
      ("../b c", "../b\0c", "lockfile.character", 12),
      ("../b c", "../\u{202e}c", "lockfile.character", 12),
      ("  sequence 12", "\tsequence 12", "lockfile.character", 5),
      ("  sequence 12", "  sequence 12\u{301}", "lockfile.value", 5),
      ("  source main", "  source \u{301}main", "lockfile.value", 4),
      ("  source main", "  source\u{301} main", "lockfile.syntax", 4),
      // Lines.
      ("module com.a 1.0.0", "module com.a", "lockfile.value", 3),
      ("module com.a 1.0.0", "module com.a  1.0.0", "lockfile.value", 3),
      ("module com.a 1.0.0", "module Com.a 1.0.0", "lockfile.value", 3),
      ("module com.a 1.0.0", "module com.a 1.0", "lockfile.value", 3),
      ("module com.a 1.0.0", "Module com.a 1.0.0", "lockfile.syntax", 3),
      ("  source main", "  source", "lockfile.syntax", 4),
      ("  source main", "  source a b", "lockfile.value", 4), ("  source main\n", "", "lockfile.syntax", 4),
      ("  source main\n", "  source main\n  source main\n", "lockfile.syntax", 5),
      ("  sequence 12", "  sequence 012", "lockfile.value", 5),
      ("  sequence 12", "  sequence +12", "lockfile.value", 5),
      ("  sequence 12", "  sequence 0", "lockfile.value", 5),
      ("  sequence 12", "  sequence 9007199254740992", "lockfile.value", 5),
      ("  sequence 12", "   sequence 12", "lockfile.syntax", 5),
      ("  sequence 12", "  sequence 12 ", "lockfile.value", 5),
      ("  archive sha256", "  archive sha512", "lockfile.value", 6),
      ("  archive sha256:0", "  archive sha256:A", "lockfile.value", 6),
      ("  description \(digest)\n", "", "lockfile.syntax", 7), ("  archive \(digest)\n", "", "lockfile.syntax", 6),
      ("  signer \(signer)\n", "  signer \(signer)\n  signers verified\n", "lockfile.value", 9),
      ("  signer \(signer)\n", "  signers unheld\n", "lockfile.syntax", 8),
      ("  signer \(signer)\n", "  signer \(signer)\n  signers unheld\n  signers unheld\n", "lockfile.syntax", 10),
      ("  signer \(signer)\n", "", "lockfile.syntax", 8), ("  signer SHA256:", "  signer MD5:", "lockfile.value", 8),
      ("  signer \(signer)\n", "  signer \(signer)\n  signer \(signer)\n", "lockfile.order", 9),
      ("requires com.b >=1.0.0 <2.0.0", "requires com.b", "lockfile.value", 9),
      ("requires com.b >=1.0.0 <2.0.0", "requires com.b ~> 1.0", "lockfile.value", 9),
      ("requires com.b >=1.0.0 <2.0.0", "requires com.b >=1.0.0  <2.0.0", "lockfile.value", 9),
      ("requires com.b >=1.0.0 <2.0.0\n", "requires com.b >=1.0.0\n  requires com.b <2.0.0\n", "lockfile.order", 10),
      ("requires com.b >=1.0.0 <2.0.0\n", "requires com.b >=1.0.0\n  requires com.a <2.0.0\n", "lockfile.order", 10),
      ("  path ../b c", "  path /b", "lockfile.value", 12), ("  path ../b c", "  path b ", "lockfile.value", 12),
      ("  path ../b c", "  git https://u:p@a\n  commit \(String(repeating: "0", count: 40))", "lockfile.value", 13),
      ("  path ../b c", "  git https://a\n  commit 12ab", "lockfile.value", 13),
      ("  path ../b c", "  git https://a\n", "lockfile.syntax", 13),
      ("  path ../b c", "  git https://a", "lockfile.syntax", 13),
      // Order.
      ("module com.b 0", "module com.a 0", "lockfile.order", 11),
      ("module com.a 1", "module com.c 1", "lockfile.order", 11),
    ] as [(String, String, String, Int)])
  func refused(part: String, replacement: String, code: String, line: Int) throws {
    let text = part.isEmpty ? "" : Self.good.replacing(part, with: replacement, maxReplacements: 1)
    #expect(text != Self.good)
    let changed = part == "  sequence 1\n" ? String(Self.good.dropLast(part.count)) + replacement : text
    let error = expectError(SignetError.Code(code), "\(changed)") { _ = try ModuleLock(Array(changed.utf8)) }
    #expect(error?.object == "Modfile.lock:\(line)", "\(changed)")
    #expect(error.map { !"\($0)".contains("u:p") } == true)
  }

  private static let commit = String(repeating: "1", count: 40)
  private static let sourced = good.replacing(
    "  signer", with: "  source-archive \(digest)\n  commit \(commit)\n  signer", maxReplacements: 1)

  @Test("the sources of a release, and the commit, are part of its record")
  func sources() throws {
    let read = try ModuleLock(Array(Self.sourced.utf8))
    #expect(read.text == Self.sourced)
    let source = try #require(try read[identifier("com.a")]?.served?.digests?.source)
    #expect(source.commit == Self.commit && "\(source.archive)" == Self.digest)
    #expect(try read != ModuleLock(Array(Self.good.utf8)))
    let long = Self.sourced.replacing(Self.commit, with: String(repeating: "a", count: 64))
    #expect(try ModuleLock(Array(long.utf8)).text == long)
  }

  private static let specified = """
    Modfile.lock 1

    module com.a 1.0.0
      specs design
      sequence 3
      spec \(digest)
      git https://a.example.com/b
      commit \(commit)
      archive \(digest)
      requires com.b >=1.0.0

    """

  @Test("what a spec describes is recorded by its spec, its commit and its binary, if it has one")
  func specs() throws {
    let served = try #require(try ModuleLock(Array(Self.specified.utf8))[identifier("com.a")]?.served)
    #expect(try ModuleLock(Array(Self.specified.utf8)).text == Self.specified)
    guard case .spec(let release) = served.content else {
      Issue.record("it is the record of a spec")
      return
    }
    #expect("\(release.spec)" == Self.digest && release.commit.id == Self.commit && served.signers.isEmpty)
    #expect(release.archive.map { "\($0)" } == Self.digest && served.digests == nil)
    let alone = Self.specified.replacing("  archive \(Self.digest)\n", with: "")
    #expect(try ModuleLock(Array(alone.utf8)).text == alone)
    #expect(try ModuleLock(Array(alone.utf8)) != ModuleLock(Array(Self.specified.utf8)))
  }

  @Test(
    "what a spec describes and is not recorded as it should be is refused",
    arguments: [
      ("  specs design", "  specs des ign", "lockfile.value", 4), ("  sequence 3\n", "", "lockfile.syntax", 5),
      ("  spec sha256", "  spec sha512", "lockfile.value", 6), ("  spec \(digest)\n", "", "lockfile.syntax", 6),
      ("  git https", "  git ssh", "lockfile.value", 8),
      ("  git https://", "  git https://u:p@", "lockfile.value", 8),
      ("  commit \(commit)", "  commit 12ab", "lockfile.value", 8),
      ("  commit \(commit)\n", "", "lockfile.syntax", 8),
      ("  archive sha256", "  archive sha1", "lockfile.value", 9),
      ("  archive \(digest)\n", "  archive \(digest)\n  signer x\n", "lockfile.syntax", 10),
      ("  specs design", "  source design", "lockfile.syntax", 6),
    ])
  func wrongSpecs(part: String, replacement: String, code: String, line: Int) throws {
    let changed = Self.specified.replacing(part, with: replacement, maxReplacements: 1)
    #expect(changed != Self.specified)
    let error = expectError(SignetError.Code(code), "\(changed)") { _ = try ModuleLock(Array(changed.utf8)) }
    #expect(error?.object == "Modfile.lock:\(line)", "\(changed)")
    #expect(error.map { !"\($0)".contains("u:p") } == true)
  }

  @Test(
    "sources that are not recorded as they should be are refused",
    arguments: [
      ("  commit \(commit)\n", "", "lockfile.syntax", 9),
      ("  source-archive \(digest)\n", "", "lockfile.syntax", 8),
      ("  commit 1", "  commit g", "lockfile.value", 9), ("  commit 1", "  commit ", "lockfile.value", 9),
      ("  commit \(commit)", "  commit \(String(repeating: "A", count: 40))", "lockfile.value", 9),
      ("  source-archive sha256", "  source-archive sha512", "lockfile.value", 8),
      ("  commit \(commit)\n", "  commit \(commit)\n  commit \(commit)\n", "lockfile.syntax", 10),
      (
        "  source-archive \(digest)\n  commit \(commit)\n", "  commit \(commit)\n  source-archive \(digest)\n",
        "lockfile.syntax", 8
      ),
    ])
  func refusedSources(part: String, replacement: String, code: String, line: Int) throws {
    let text = Self.sourced.replacing(part, with: replacement, maxReplacements: 1)
    #expect(text != Self.sourced)
    let error = expectError(SignetError.Code(code), "\(text)") { _ = try ModuleLock(Array(text.utf8)) }
    #expect(error?.object == "Modfile.lock:\(line)", "\(text)")
  }

  @Test("what is beyond a bound is refused")
  func bounds() throws {
    let large = [UInt8](repeating: UInt8(ascii: "\n"), count: ModuleLock.sizeLimit + 1)
    expectError(.lockfileSize) { _ = try ModuleLock(large) }
    expectError(.lockfileEncoding) { _ = try ModuleLock(Array("Modfile.lock 1\n".utf8) + [0xc0, 0x80]) }
    let many = (0...256).map { "  requires com.m\(1000 + $0) >=1.0.0\n" }.joined()
    let text = "Modfile.lock 1\n\nmodule com.a 1.0.0\n  path a\n  sequence 1\n" + many
    let error = expectError(.lockfileCount) { _ = try ModuleLock(Array(text.utf8)) }
    #expect(error?.object == "Modfile.lock:262")
    let modules = (0...10_000).map { "\nmodule com.m\(10_000 + $0) 1.0.0\n  path a\n  sequence 1\n" }.joined()
    expectError(.lockfileCount) { _ = try ModuleLock(Array(("Modfile.lock 1\n" + modules).utf8)) }
    let key = try #require(ReleaseSigner(signer))
    let source = try #require(ModfileName("main"))
    expectError(.lockfileCount) {
      _ = try LockedModule.Served(source: source, digests: digests("a"), signers: [])
    }
    expectError(.lockfileOrder) {
      _ = try LockedModule.Served(source: source, digests: digests("a"), signers: [key, key])
    }
  }

  @Test("a release can be signed by an identity, which is no text with spaces, controls or other letters")
  func identities() throws {
    let workflow = "https://github.com/example/tool/.github/workflows/release.yml@refs/tags/v1"
    for identity in [workflow, "release@example.com", "somebody!example"] {
      let text = Self.good.replacing("  signer \(signer)\n", with: "  signer \(signer)\n  signer \(identity)\n")
      let lock = try ModuleLock(Array(text.utf8))
      #expect(lock.text == text)
    }
    for other in ["release", "a b@example.com", "\u{e4}@example.com", String(repeating: "a", count: 2048) + "@b"] {
      let text = Self.good.replacing("  signer \(signer)\n", with: "  signer \(signer)\n  signer \(other)\n")
      expectError(.lockfileValue, "\(other)") { _ = try ModuleLock(Array(text.utf8)) }
    }
  }

  @Test(
    "git merges changes of two neighbours, and a lock with a conflict is refused with the line of its first marker",
    .enabled(if: Program.find("git") != nil, "git is missing"))
  func merge() throws {
    let folder = try TemporaryFolder()
    func merged(_ ours: String, _ theirs: String) throws -> [UInt8] {
      _ = try folder.write("base", Array(Self.good.utf8))
      _ = try folder.write("ours", Array(ours.utf8))
      _ = try folder.write("theirs", Array(theirs.utf8))
      _ = try Shell.run("git merge-file ours base theirs", in: folder.path)
      return try folder.read("ours")
    }
    let newer = Self.good.replacing("com.a 1.0.0", with: "com.a 1.0.1").replacing(
      "requires com.b >=1.0.0", with: "requires com.b >=1.1.0")
    let other = Self.good.replacing("com.b 0.1.0-a+b", with: "com.b 0.1.0")
    let both = try ModuleLock(try merged(newer, other))
    #expect(both.modules.map { "\($0.version)" } == ["1.0.1", "0.1.0"])
    let conflict = try merged(newer, Self.good.replacing("com.a 1.0.0", with: "com.a 1.1.0"))
    let error = expectError(.lockfileMergeMarker) { _ = try ModuleLock(conflict) }
    #expect(error?.object == "Modfile.lock:3")
  }
}
