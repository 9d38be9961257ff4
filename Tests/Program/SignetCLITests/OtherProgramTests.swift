import ArgumentParser
import Foundation
import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import SignetCLI
@testable import SignetTools

/// `signet` becomes the program beside it, and no other, for the commands that it does not have.
struct OtherProgramTests {
  let folder: TemporaryFolder
  /// The path of `signet`, as a program knows its own: without links.
  let own: String

  init() throws {
    folder = try TemporaryFolder()
    for name in ["bin", "libexec", "libexec/signet"] {
      try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: false)
    }
    own = try folder.write("bin/signet", [], mode: 0o755)
  }

  private func path() throws -> String { try OtherProgram("signet-tools", beside: own).path() }

  @Test("it is beside this program, or below libexec, and nowhere else")
  func places() throws {
    let error = expectError(.fileMissing) { _ = try path() }
    #expect(error?.found == "none of \(folder.path)/bin/signet-tools, \(folder.path)/libexec/signet/signet-tools")
    _ = try folder.write("signet-tools", [], mode: 0o755)
    expectError(.fileMissing) { _ = try path() }
    let installed = try folder.write("libexec/signet/signet-tools", [], mode: 0o755)
    #expect(try path() == installed)
    let beside = try folder.write("bin/signet-tools", [], mode: 0o755)
    #expect(try path() == beside)
    // A container may have both in its root.
    let inRoot = expectError(.fileMissing) { _ = try OtherProgram("no-such-tools", beside: "/signet").path() }
    #expect(inRoot?.found == "none of /no-such-tools, /libexec/signet/no-such-tools")
  }

  @Test("nobody can write it who cannot write this program", arguments: ["bin", "libexec/signet"])
  func writers(place: String) throws {
    let other = try folder.write("\(place)/signet-tools", [], mode: 0o755)
    _ = try path()
    #expect(chmod(other, 0o757) == 0)
    let error = expectError(.fileOthersMayWrite) { _ = try path() }
    #expect(error?.object == other)
    #expect(error?.hint == "check its content, then: chmod go-w \(other)")
    // Who may write this program anyhow could replace the other one, too: a shared checkout.
    #expect(chmod(own, 0o757) == 0)
    _ = try path()
    #expect(chmod(other, 0o777) == 0)
    if geteuid() == 0 { #expect(chown(other, 4711, 4711) == 0) }
    expectError(.fileOthersMayWrite) { _ = try path() }
  }

  @Test(
    "nothing is taken from a folder in which any user can put a program",
    arguments: ["bin", "libexec", "libexec/signet"])
  func sharedFolders(name: String) throws {
    _ = try folder.write(name == "bin" ? "bin/signet-tools" : "libexec/signet/signet-tools", [], mode: 0o755)
    for mode: mode_t in [0o1777, 0o1775] {
      #expect(chmod(folder.file(name), mode) == 0)
      let error = expectError(.fileOthersMayWrite) { _ = try path() }
      #expect(error?.object == folder.file(name))
    }
  }

  @Test(
    "a folder of the installation is not written by others than this program's",
    arguments: ["libexec", "libexec/signet"])
  func folders(name: String) throws {
    _ = try folder.write("libexec/signet/signet-tools", [], mode: 0o755)
    #expect(chmod(folder.file(name), 0o777) == 0)
    let error = expectError(.fileOthersMayWrite) { _ = try path() }
    #expect(error?.object == folder.file(name))
  }

  @Test("another user's file is not it", .enabled(if: geteuid() == 0, "only root gives files away"))
  func owners() throws {
    let other = try folder.write("bin/signet-tools", [], mode: 0o755)
    #expect(chown(other, 4711, 4711) == 0)
    let error = expectError(.fileOthersMayWrite) { _ = try path() }
    #expect(error?.found == "user 4711")
    // A checkout of that user: who runs its program trusts that user already.
    #expect(chown(own, 4711, 4711) == 0)
    _ = try path()
    // A group that cannot write this program.
    #expect(chmod(other, 0o775) == 0)
    expectError(.fileOthersMayWrite) { _ = try path() }
    #expect(chmod(own, 0o775) == 0)
    _ = try path()
  }

  #if os(Linux)
    @Test("an access control list does not let others write it")
    func lists() throws {
      let other = try folder.write("bin/signet-tools", [], mode: 0o755)
      for path in [own, other] { #expect(chmod(path, 0o775) == 0) }
      // Version 2, then the owner, user 4711, the group, the mask and the others, each with tag, permissions and number.
      let script = """
        import os, struct, sys
        entries = [(1, 7, 2**32 - 1), (2, 7, 4711), (4, 5, 2**32 - 1), (16, 7, 2**32 - 1), (32, 5, 2**32 - 1)]
        os.setxattr(sys.argv[1], "system.posix_acl_access", struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *each) for each in entries))
        """
      let made = try Shell.run("python3 - '\(other)' << 'END'\n\(script)\nEND", in: folder.path)
      #expect(made.status == 0, "\(made.errors)")
      let error = expectError(.fileOthersMayWrite) { _ = try path() }
      #expect(error?.object == other)
    }
  #endif

  @Test("a link leads to it if this user or root has made the link")
  func links() throws {
    let real = try folder.write("real", [], mode: 0o755)
    let link = folder.file("bin/signet-tools")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: real)
    #expect(try path() == real)
    if geteuid() == 0 {
      #expect(lchown(link, 4711, 4711) == 0)
      expectError(.fileOthersMayWrite) { _ = try path() }
    }
  }

  @Test("the program does not become itself")
  func itself() throws {
    #expect(link(own, folder.file("bin/signet-tools")) == 0)
    let error = expectError(.fileUnreadable) { _ = try path() }
    #expect(error?.message == "is this program itself")
  }

  @Test("the program has the commands that sign, pack and verify, and says of them what the other one says")
  func commands() throws {
    let tree = CommandTree(root: SignetCommand.self)
    let program = CommandLineProgram(tree)
    for words in SignetTools.tree.paths {
      // Of the commands below trust it has those that need no network.
      let isOwn =
        ["keygen", "sign", "verify", "inspect", "digest", "timestamp", "attach", "detach", "statement", "pack"]
        .contains(
          words.first ?? "")
        || words.first == "trust" && words.count > 1 && !["root", "staple"].contains(words[1])
      // Without a command, it shows the first steps.
      #expect(program.has(words) == (isOwn || words.isEmpty), "\(words)")
      #expect(program.has(words + ["--help"]) == isOwn, "\(words)")
      #expect(program.has(["help"] + words) == isOwn, "\(words)")
      guard isOwn, let command = tree.command(at: words), let same = SignetTools.tree.command(at: words) else {
        continue
      }
      #expect(
        tree.root.helpMessage(for: command, columns: 80)
          == SignetTools.tree.root.helpMessage(for: same, columns: 80), "\(words)")
    }
    #expect(program.has(["--version"]) && program.has(["version"]))
    // The other program knows all names, and which one may be meant.
    for arguments in [
      ["--help"], ["help"], ["instal"], ["trust", "lst"], ["--generate-completion-script", "bash"],
      ["--key", "verify"], [""],
    ] {
      #expect(!program.has(arguments), "\(arguments)")
    }
  }
}
