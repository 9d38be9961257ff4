import Foundation
import TestSupport
import Testing

/// The packages of Fixtures/Router, each built by itself: no two share a folder, as those of a host and of strangers do not.
actor RouterFixture {
  static let shared = RouterFixture()
  private static let root = Repository.root + "/Fixtures/Router"
  /// What a plugin is linked with: it finds PluginKit and Swift because the host has loaded them, and in no folder.
  private static let pluginFlags = [
    "-Xswiftc", "-no-toolchain-stdlib-rpath", "--disable-local-rpath", "-Xlinker", "-z", "-Xlinker", "now",
    "-Xlinker", "--build-id",
  ]

  private var builds: [String: Task<String, any Error>] = [:]

  /// What was printed when the host with these plugins goes through its script.
  static var expected: String { get throws { try Repository.text("Fixtures/Router/expected.txt") } }

  /// Where a package's products are, once they are there. One is built after the other: there are two cores for all tests.
  func build(_ package: String, _ configuration: String) async throws -> String {
    let name = "\(configuration)/\(package)"
    let earlier = Array(builds.values)
    let build =
      builds[name]
      ?? Task {
        for build in earlier { _ = try? await build.value }
        return try await Self.build(package, configuration)
      }
    builds[name] = build
    return try await build.value
  }

  private static func build(_ package: String, _ configuration: String) async throws -> String {
    let folder = "\(Repository.root)/.build-fixtures/\(configuration)/\(package)"
    try forgetOldPlan(folder)
    let swift = try #require(Program.find("swift"))
    let flags = package == "Host" ? [] : pluginFlags + (configuration == "release" ? ["-Xlinker", "-s"] : [])
    let result = try await run(
      swift,
      [
        "build", "-c", configuration, "--package-path", "\(root)/\(package)", "--scratch-path", folder,
        "--disable-dependency-cache", "--disable-index-store",
      ] + flags, environment: localGit)
    guard result.status == 0 else { throw BuildFailure(description: "\(package): \(result.output)\(result.errors)") }
    return "\(folder)/\(configuration)"
  }

  /// A build keeps its list of another package's files: one that came since would be missing.
  private static func forgetOldPlan(_ folder: String) throws {
    let files = try ["Sources/CSignetPlugin", "Sources/PluginKit"].flatMap { source in
      try FileManager.default.subpathsOfDirectory(atPath: "\(Repository.root)/\(source)").sorted()
    }
    let list = Data(files.joined(separator: "\n").utf8)
    let note = "\(folder)/files"
    guard FileManager.default.contents(atPath: note) != list else { return }
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try list.write(to: URL(filePath: note))
  }

  /// Runs the host with libraries.
  static func host(_ folder: String, _ libraries: [String]) async throws -> Program {
    try await run("\(folder)/Host", libraries)
  }

  /// Builds the plugins in C without any package manager, with one header and nothing else of this repository.
  static func compile(_ plugin: String, in folder: TemporaryFolder) throws -> String {
    let compiler = try #require(Program.find("clang") ?? Program.find("cc"))
    let library = folder.file("lib\(plugin).so")
    try FileManager.default.createDirectory(atPath: folder.file("include"), withIntermediateDirectories: true)
    let header = try Repository.bytes("Sources/CSignetPlugin/include/signet_plugin.h")
    try folder.write("include/signet_plugin.h", header)
    let sources = "\(root)/PluginC/Sources"
    let result = try Program.run(
      compiler,
      [
        "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fPIC", "-shared", "-I", folder.file("include"),
        "-I", "\(sources)/Desk/include", "-o", library, "\(sources)/\(plugin)/\(plugin.lowercased()).c",
      ])
    try #require(result.status == 0, "\(result.errors)")
    return library
  }

  /// The build in which this test runs has the repositories of the packages that this one needs: git takes them from there,
  /// so that no network is needed. None of them is compiled.
  private static var localGit: [String: String] {
    var folder = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    while folder.path.count > 1 {
      folder.deleteLastPathComponent()
      let repositories = folder.appending(path: "repositories")
      let names = (try? FileManager.default.contentsOfDirectory(atPath: repositories.path)) ?? []
      guard let name = names.first(where: { $0.hasPrefix("swift-argument-parser-") }) else { continue }
      return [
        "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "url.\(repositories.path)/\(name).insteadOf",
        "GIT_CONFIG_VALUE_0": "https://github.com/apple/swift-argument-parser",
      ]
    }
    return [:]
  }

  /// Waits on a thread of its own: those of tasks are as few as the cores.
  private static func run(
    _ path: String, _ arguments: [String], environment: [String: String] = [:]
  ) async throws -> Program {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try Program.run(path, arguments, environment: environment) })
      }
    }
  }
}

/// A package that cannot be built.
struct BuildFailure: Error, CustomStringConvertible {
  let description: String
}
