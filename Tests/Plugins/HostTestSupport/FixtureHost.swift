import Foundation
import TestSupport
import Testing

/// The packages of Fixtures/Modules and Fixtures/Host, built by themselves, and what the host is offered.
struct FixtureHost {
  /// Release builds of everything take minutes: SIGNET_FIXTURES=release has them, too. A night has them, and
  /// builds the demo as a release.
  static let configurations =
    ProcessInfo.processInfo.environment["SIGNET_FIXTURES"] == "release" ? ["debug", "release"] : ["debug"]
  private static let package = Repository.root + "/Fixtures/Host"
  /// The program.
  static let signet = Shell.signet

  /// Where the hosts' products are.
  let products: String
  /// Where the modules are, each in a folder that `signet pack` takes.
  let modules: String

  /// Builds hosts and modules; once in a process. `make test` has built them already, in the folder of these tests.
  init(_ configuration: String) async throws {
    let folder = "\(Repository.root)/.build-fixtures/\(configuration)"
    modules = "\(folder)/modules"
    if configuration == "debug", let built = ProcessInfo.processInfo.environment["SIGNET_HOSTS"] {
      products = built
    } else {
      let hosts = "\(folder)/hosts"
      products = "\(hosts)/\(configuration)"
      try await FixtureBuilds.shared.build(
        "\(configuration)/hosts", [Repository.root + "/Fixtures/build", configuration, hosts])
    }
  }

  /// Makes a policy, archives and catalogues.
  func prepare(in folder: TemporaryFolder) async throws {
    let result = try await FixtureBuilds.run(
      Self.package + "/prepare", [Self.signet, modules, folder.path])
    try #require(result.status == 0, "\(result.errors)")
  }

  /// Runs the host with the commands of a file.
  func run(_ script: String, catalogue: String, in folder: TemporaryFolder) async throws -> Program {
    try await FixtureBuilds.run(
      "\(products)/Host", ["--policy", "policy.json", "--store", "store", "--catalogue", catalogue], in: folder.path,
      input: Repository.bytes("Fixtures/Host/\(script)"))
  }

  /// Runs the host with commands.
  func run(_ commands: [String], in folder: TemporaryFolder) async throws -> Program {
    try await FixtureBuilds.run(
      "\(products)/Host", ["--policy", "policy.json", "--store", "store"] + commands, in: folder.path)
  }

  /// What is printed, without what is another each time: digests, keys and times.
  static func masked(_ text: String) -> String {
    text.replacing(/SHA256:[A-Za-z0-9+\/]{43}/, with: "SHA256:…").replacing(/sha256:[0-9a-f]{64}/, with: "sha256:…")
      .replacing(/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z/, with: "…")
  }

  /// Links the host once more, so that nobody sees its symbols.
  func linkHidden(in folder: TemporaryFolder) async throws -> Program {
    let compiler = try #require(Program.find("swiftc"))
    let script = try folder.write("hidden.map", Array("{ local: *; };\n".utf8))
    let program = folder.file("Hidden")
    let result = try await FixtureBuilds.run(
      compiler,
      [
        "-emit-executable", "@Host.product/Objects.LinkFileList", "-o", program, "-L.", "-lPluginKit", "-lForecast",
        "-lcrypto", "-lz",
        // The package manager gives the program's beginning a name of its own.
        "-Xlinker", "--defsym=main=Host_main", "-Xlinker", "--version-script=\(script)", "-Xlinker",
        "-rpath=\(products)",
      ], in: products)
    try #require(result.status == 0, "\(result.output)\(result.errors)")
    return try await FixtureBuilds.run(
      program, ["--policy", "policy.json", "--store", "store", "list"], in: folder.path)
  }

  /// Runs the tests of the host's own package, as `swift test` does when all is built.
  func ownTests() async throws -> Program {
    try await FixtureBuilds.run(
      "\(products)/sample-hostPackageTests.xctest", ["--testing-library", "swift-testing"])
  }
}
