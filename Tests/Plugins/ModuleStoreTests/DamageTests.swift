import Foundation
import ModuleStore
import Signet
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@Suite struct DamageTests {
  /// A kind of damage, done by bash in the release's directory.
  static let damages: [(name: String, command: String)] = [
    ("changed byte", "printf j | dd of=files/assets/a conv=notrunc status=none"),
    ("longer file", "echo >> files/assets/a"),
    ("missing file", "rm files/assets/empty"),
    ("file for a file of another name", "mv files/assets/a files/assets/c"),
    ("extra file", "touch files/assets/extra"),
    ("extra hidden directory", "mkdir files/.x"),
    ("permissions", "chmod 0644 files/assets/a"),
    ("set-user-ID", "chmod 4755 files/assets/a"),
    ("directory's permissions", "chmod 0700 files/assets"),
    ("link elsewhere", "ln -sfn /etc/passwd files/assets/link"),
    ("link for a file", "mv files/assets/a files/assets/deep/a && ln -s deep/a files/assets/a"),
    ("link for a directory", "mv files/assets/deep ../../../d && ln -s ../../../../../d files/assets/deep"),
    ("fifo", "rm files/assets/empty && mkfifo files/assets/empty"),
    ("changed bundle", "sed -i 's/payload\":\"e/payload\":\"f/' bundles.jsonl"),
    ("bundle that is none", "echo x >> bundles.jsonl"),
    ("empty bundles", ": > bundles.jsonl"),
    ("no bundles", "rm bundles.jsonl"),
    ("link for the bundles", "mv bundles.jsonl ../../../b && ln -s ../../../b bundles.jsonl"),
    ("no files", "rm -r files"),
    ("link for the files", "mv files ../../../f && ln -s ../../../f files"),
    ("no directory", "rm -r $PWD"),
    ("nothing at all", "rm -r \"$(dirname $PWD)\""),
  ]

  @Test(
    "what is installed and not as it was signed is told, not loaded, and can be repaired", .slow, arguments: damages)
  func damage(name: String, command: String) throws {
    let fixture = try StoreFixture()
    let release = try fixture.release(7)
    let store = try fixture.store()
    let installed = try store.install(release.verified(fixture.policy()))
    let before = try fixture.tree()
    let run = try Program.run("/bin/bash", ["-c", command], in: fixture.place(of: installed))
    try #require(run.status == 0, "\(run.errors)")
    expectError(.storeDamaged) { _ = try store.verify()[0].standing.get() }
    expectError(.storeDamaged) { _ = try store.active(StoreFixture.player) }
    expectError(.storeDamaged) { try store.install(release.verified(fixture.policy())) }
    #expect(try store.installed().isEmpty)
    try store.repair(from: release.verified(fixture.policy()))
    #expect(try fixture.installed() == [7])
    var after = try fixture.tree()
    for name in ["b", "d", "f"] { after = after.filter { $0.key != name && !$0.key.hasPrefix(name + "/") } }
    #expect(after == before)
  }

  @Test("a good release stays in its place when it is repaired")
  func undamaged() throws {
    let fixture = try StoreFixture()
    let release = try fixture.release(7)
    let store = try fixture.store()
    let place = fixture.place(of: try store.install(release.verified(fixture.policy())))
    let before = FileStatus.identities(of: [place])
    #expect(try store.repair(from: release.verified(fixture.policy())).sequence == 7)
    #expect(FileStatus.identities(of: [place]) == before)
    #expect(try store.staging().isEmpty)
  }

  @Test("a resource that is changed after it was opened is refused when it is asked for")
  func resource() throws {
    let fixture = try StoreFixture()
    let installed = try fixture.install(7)
    try Data("other".utf8).write(to: URL(filePath: fixture.place(of: installed) + "/files/assets/a"))
    expectError(.digestMismatch) { _ = try installed.bytes(of: "assets/a") }
    expectError(.directoryExtraEntry) { _ = try installed.bytes(of: "assets/b") }
  }

  /// Others: the group of whoever runs the tests may be nobody else.
  @Test("what others may write is not opened")
  func writable() throws {
    let fixture = try StoreFixture()
    let place = fixture.place(of: try fixture.install(7))
    for (path, mode) in [
      ("\(place)/bundles.jsonl", 0o646), (place, 0o757), ("\(place)/files", 0o777), ("\(place)/..", 0o757),
    ] {
      var status = stat()
      stat(path, &status)
      chmod(path, mode_t(mode))
      expectError(.fileOthersMayWrite, "\(path)") { _ = try fixture.store().verify()[0].standing.get() }
      chmod(path, status.st_mode & 0o7777)
    }
    for (path, mode) in [("", 0o757), ("/modules", 0o757), ("/staging", 0o777), ("/state.json", 0o666)] {
      var status = stat()
      stat(fixture.path + path, &status)
      chmod(fixture.path + path, mode_t(mode))
      expectError(.fileOthersMayWrite, "\(path)") { _ = try fixture.store() }
      chmod(fixture.path + path, status.st_mode & 0o7777)
    }
    chmod(fixture.path + "/lock", 0o666)
    expectError(.fileOthersMayWrite) { _ = try fixture.store().installed() }
    chmod(fixture.path + "/lock", 0o644)
    chmod(fixture.folder.path, 0o777)
    expectError(.fileOthersMayWrite) { _ = try fixture.store() }
    chmod(fixture.folder.path, 0o755)
    #expect(try fixture.installed() == [7])
  }

  @Test("what another user owns is not opened", .enabled(if: geteuid() == 0, "only root can give files away"))
  func owned() throws {
    let fixture = try StoreFixture()
    let place = fixture.place(of: try fixture.install(7))
    for path in ["files/assets/a", "files/assets/deep", "files/assets/link", "bundles.jsonl", "files", ".", ".."] {
      lchown("\(place)/\(path)", 4711, 0)
      expectError(.fileOthersMayWrite, "\(path)") { _ = try fixture.store().verify()[0].standing.get() }
      lchown("\(place)/\(path)", 0, 0)
    }
    for path in ["", "/modules", "/staging", "/state.json"] {
      lchown(fixture.path + path, 4711, 0)
      expectError(.fileOthersMayWrite, "\(path)") { _ = try fixture.store() }
      lchown(fixture.path + path, 0, 0)
    }
    #expect(try fixture.installed() == [7])
  }

  @Test("a release in another's place, and a state that says otherwise, buy nothing")
  func misplaced() throws {
    let fixture = try StoreFixture()
    let store = try fixture.store()
    let old = try fixture.install(6)
    try fixture.install(7)
    // The older release under a higher number.
    let digest = old.sha256.hex
    try FileManager.default.copyItem(
      atPath: fixture.place(of: old), toPath: "\(fixture.path)/modules/com.example.player/9-\(digest)")
    fixture.state = fixture.state.replacingOccurrences(
      of: "\"}],\"signing\"", with: "\"},{\"sequence\":9,\"sha256\":\"\(digest)\"}],\"signing\"")
    #expect(fixture.state.contains("\"sequence\":9"))
    #expect(try store.installed().map(\.sequence) == [6, 7])
    expectError(.storeDamaged) { _ = try store.verify()[2].standing.get() }
    #expect(try store.active(StoreFixture.player).sequence == 7)
    // Under another module's name.
    let other = fixture.state.replacingOccurrences(of: "com.example.player", with: "com.example.other")
    fixture.state = other
    try FileManager.default.moveItem(
      atPath: "\(fixture.path)/modules/com.example.player", toPath: "\(fixture.path)/modules/com.example.other")
    #expect(try store.installed().isEmpty)
    let standing = try store.verify()[0].standing
    expectError(.moduleIdentifierMismatch) { _ = try standing.get() }
  }

  @Test("a key that is revoked later opens nothing, though nothing has changed on the disk")
  func revoked() throws {
    let fixture = try StoreFixture()
    try fixture.install(7)
    let revocation = Revocation(.key(fixture.key.publicKey.id), reason: "lost")
    let policy = try fixture.policy { $0.revocations = [revocation] }
    expectError(.signerRevoked) { _ = try fixture.store(policy).active(StoreFixture.player) }
    #expect(try fixture.installed(policy).isEmpty)
    // So do a release, an archive's digest of either kind, and a policy that has ended.
    let installed = try fixture.store().active(StoreFixture.player)
    let tree = try #require(installed.signatures[0].statement.module?.archive.fsverity)
    for target: Revocation.Target in [
      .sequence(StoreFixture.player, 7), .sha256(installed.sha256), .fsverity(tree),
    ] {
      let policy = try fixture.policy { $0.revocations = [Revocation(target, reason: "bad")] }
      expectError(.policyRevoked) { _ = try fixture.store(policy).active(StoreFixture.player) }
    }
    let ended = try fixture.policy { $0.expires = UnixTime(seconds: StoreFixture.start.seconds - 1) }
    expectError(.policyExpired) { _ = try fixture.store(ended).active(StoreFixture.player) }
  }
}
