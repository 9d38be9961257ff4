import Foundation
import SignetBase
import TestSupport
import Testing

@testable import ModulePackaging

/// The build of a module, which is the publisher's own code.
@Suite struct ModuleBuildTests {
  private func build(
    _ makefile: String, _ variables: [(name: String, value: String)] = [],
    defaults: [(name: String, value: String)] = []
  ) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try folder.write("Makefile", Array(makefile.utf8))
    let path = [(name: "PATH", value: ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")]
    _ = try ModuleBuild(path + variables, defaults: defaults).run(in: folder.path)
    return try folder.read("module/out")
  }

  @Test("make without a target builds into the folder module")
  func product() throws {
    #expect(try build("all:\n\t@mkdir module && printf yes > module/out\n") == Array("yes".utf8))
  }

  @Test("The build sees the environment and the defaults, and neither a key nor another make's orders")
  func environment() throws {
    let print = "all:\n\t@mkdir module && env | grep -E '^(A|B|SIGNET_KEY|MAKEFILES|GIT_DIR)=' | sort > module/out\n"
    let seen = try build(
      print,
      [("A", "1"), ("SIGNET_KEY", "secret"), ("MAKEFILES", "/x"), ("MAKEFLAGS", "-n"), ("GIT_DIR", "/y")],
      defaults: [("A", "2"), ("B", "3")])
    #expect(String(decoding: seen, as: UTF8.self) == "A=1\nB=3\n")
  }

  @Test("A build that fails says how it ended and its last words")
  func failure() throws {
    let error = try #require(
      expectError(.packageBuild) { _ = try build("all:\n\t@echo 'no compiler' >&2; exit 3\n") })
    #expect(error.object == "make")
    #expect(error.found?.contains("no compiler") == true)
  }

  @Test("A build that makes no folder is refused, and so is a folder without a Makefile")
  func nothing() throws {
    let error = try #require(expectError(.packageBuild) { _ = try build("all:\n\t@true\n") })
    #expect(error.object == "module")
    let folder = try TemporaryFolder()
    let other = try #require(
      expectError(.packageBuild) { _ = try ModuleBuild([], defaults: []).run(in: folder.path) })
    #expect(other.object == "Makefile")
  }
}
