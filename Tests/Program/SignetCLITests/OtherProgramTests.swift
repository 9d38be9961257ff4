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

  private func path() throws -> String { try OtherProgram.path(of: "signet-tools", beside: own) }

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
  }

  @Test("nobody can write it who cannot write this program", arguments: ["bin", "libexec/signet"])
  func writers(place: String) throws {
    let other = try folder.write("\(place)/signet-tools", [], mode: 0o755)
    _ = try path()
    for mode: mode_t in [0o757, 0o775] {
      #expect(chmod(other, mode) == 0)
      let error = expectError(.fileOthersMayWrite) { _ = try path() }
      #expect(error?.object == other)
    }
    // Who may write this program anyhow could replace the other one, too: a checkout of a group.
    #expect(chmod(own, 0o775) == 0)
    _ = try path()
    #expect(chmod(other, 0o777) == 0)
    expectError(.fileOthersMayWrite) { _ = try path() }
  }

  @Test("nobody can write a folder that it is installed in", arguments: ["libexec", "libexec/signet"])
  func folders(name: String) throws {
    _ = try folder.write("libexec/signet/signet-tools", [], mode: 0o755)
    #expect(chmod(folder.file(name), 0o1777) == 0)
    let error = expectError(.fileOthersMayWrite) { _ = try path() }
    #expect(error?.object == folder.file(name))
  }

  @Test(
    "another user's file in a shared folder is not it", .enabled(if: geteuid() == 0, "only root gives files away"))
  func owners() throws {
    let other = try folder.write("bin/signet-tools", [], mode: 0o755)
    #expect(chmod(folder.file("bin"), 0o1777) == 0)
    _ = try path()
    #expect(chown(other, 4711, 4711) == 0)
    let error = expectError(.fileOthersMayWrite) { _ = try path() }
    #expect(error?.found == "user 4711")
    // A checkout of that user: who runs its program trusts that user already.
    #expect(chown(own, 4711, 4711) == 0)
    _ = try path()
  }

  @Test("a link is not it")
  func links() throws {
    let real = try folder.write("real", [], mode: 0o755)
    try FileManager.default.createSymbolicLink(atPath: folder.file("bin/signet-tools"), withDestinationPath: real)
    expectError(.fileOthersMayWrite) { _ = try path() }
  }

  @Test("the program has the commands that sign, pack and verify, and says of them what the other one says")
  func commands() throws {
    let tree = CommandTree(root: SignetCommand.self)
    let program = CommandLineProgram(tree)
    for words in SignetTools.tree.paths {
      let isOwn = ["keygen", "sign", "verify", "inspect", "digest", "attach", "detach", "pack", "trust"]
        .contains(words.first ?? "")
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
      ["--help"], ["help"], ["instal"], ["--generate-completion-script", "bash"], ["--key", "verify"], [""],
    ] {
      #expect(!program.has(arguments), "\(arguments)")
    }
  }
}
