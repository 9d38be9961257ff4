import Foundation
import SignetBase
import TestSupport
import Testing

@testable import SignetSystem

@Suite struct TrustedPathTests {
  @Test("a file that only its owner may write is opened, through links too")
  func opened() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("key", [1], mode: 0o600)
    symlink("key", folder.file("link"))
    mkdir(folder.file("d"), 0o755)
    symlink("../link", folder.file("d/again"))
    for name in ["key", "link", "d/again", "d/../key", "./d/.././key"] {
      #expect(try TrustedPath.open(folder.file(name), isSecret: true).bytes(limit: 10) == [1])
    }
    #expect(try TrustedPath.open(path, isSecret: true).path == path)
  }

  @Test("a file others may write is refused", arguments: [0o602, 0o622, 0o666] as [mode_t])
  func writable(mode: mode_t) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("key", [1], mode: mode)
    expectError(.fileOthersMayWrite) { _ = try TrustedPath.open(path, isSecret: false) }
  }

  @Test("a file or a folder that a group may write is refused where the group may have other members")
  func groups() throws {
    let folder = try TemporaryFolder()
    mkdir(folder.file("d"), 0o755)
    let path = try folder.write("d/key", [1], mode: 0o664)
    // A group without a name: only root can give a file to it.
    let isOther = chown(path, uid_t.max, 424_242) == 0
    func open() throws { _ = try TrustedPath.open(path, isSecret: false) }
    if isOther || !GroupAccounts.isPrivate(getegid()) { expectError(.fileOthersMayWrite) { try open() } }
    chown(path, uid_t.max, getegid())
    if GroupAccounts.isPrivate(getegid()) { try open() }
    chmod(path, 0o644)
    chmod(folder.file("d"), 0o775)
    if GroupAccounts.isPrivate(getegid()) { try open() } else { expectError(.fileOthersMayWrite) { try open() } }
    if chown(folder.file("d"), uid_t.max, 424_242) == 0 {
      let error = expectError(.fileOthersMayWrite) { try open() }
      #expect(error?.object == folder.file("d"))
    }
  }

  @Test(
    "a private key others may read is refused, a public one is not",
    arguments: [0o640, 0o604, 0o644, 0o610] as [mode_t])
  func readable(mode: mode_t) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("key", [1], mode: mode)
    expectError(.keyOthersMayRead) { _ = try TrustedPath.open(path, isSecret: true) }
    _ = try TrustedPath.open(path, isSecret: false)
  }

  @Test("a folder on the way that others may write is refused, unless only owners may exchange what is theirs")
  func folders() throws {
    let folder = try TemporaryFolder()
    mkdir(folder.file("open"), 0o755)
    mkdir(folder.file("open/inner"), 0o755)
    try folder.write("open/inner/key", [1])
    symlink("open/inner/key", folder.file("link"))
    for mode in [0o777, 0o757] as [mode_t] {
      chmod(folder.file("open"), mode)
      for name in ["open/inner/key", "link", "open/inner/../inner/key"] {
        let error = expectError(.fileOthersMayWrite) { _ = try TrustedPath.open(folder.file(name), isSecret: false) }
        #expect(error?.object == folder.file("open"))
      }
    }
    chmod(folder.file("open"), 0o1777)
    _ = try TrustedPath.open(folder.file("link"), isSecret: false)
  }

  @Test(
    "a file, a folder or a link of another user is refused",
    .enabled(if: geteuid() == 0, "only root can give files away"))
  func owners() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("key", [1])
    symlink("key", folder.file("link"))
    lchown(folder.file("link"), 65534, 65534)
    expectError(.fileOthersMayWrite) { _ = try TrustedPath.open(folder.file("link"), isSecret: false) }
    chown(path, 65534, 65534)
    expectError(.fileOthersMayWrite) { _ = try TrustedPath.open(path, isSecret: false) }
  }

  @Test("what cannot be opened has the codes of files")
  func missing() throws {
    let folder = try TemporaryFolder()
    symlink("loop", folder.file("loop"))
    mkfifo(folder.file("pipe"), 0o600)
    expectError(.fileMissing) { _ = try TrustedPath.open(folder.file("missing"), isSecret: false) }
    expectError(.fileMissing) { _ = try TrustedPath.open(folder.file("loop"), isSecret: false) }
    expectError(.fileIsDirectory) { _ = try TrustedPath.open(folder.path, isSecret: false) }
    expectError(.fileNotRegular) { _ = try TrustedPath.open(folder.file("pipe"), isSecret: false) }
    expectError(.fileMissing) { _ = try TrustedPath.open("", isSecret: false) }
  }
}
