import Foundation
import TestSupport
import Testing

/// The packages of Fixtures/Router.
enum RouterFixture {
  private static let root = Repository.root + "/Fixtures/Router"
  /// What all are compiled with. It has an effect on the linker alone: what is linked finds Swift in no folder.
  private static let flags = ["-Xswiftc", "-no-toolchain-stdlib-rpath"]
  /// What a plugin is linked with: it finds PluginKit and Swift because the host has loaded them.
  private static let pluginFlags = [
    "--disable-local-rpath", "-Xlinker", "-z", "-Xlinker", "now", "-Xlinker", "--build-id",
  ]

  /// What was printed when the host with these plugins goes through its script.
  static var expected: String { get throws { try Repository.text("Fixtures/Router/expected.txt") } }

  /// Builds a package; once in a process.
  ///
  /// - Returns: where its products are.
  static func build(_ package: String, _ configuration: String) async throws -> String {
    let swift = try #require(Program.find("swift"))
    let runtime = URL(filePath: swift).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "lib/swift/linux")
    let more =
      package == "Host"
      // The host brings Swift.
      ? ["-Xlinker", "-rpath", "-Xlinker", runtime.path]
      : pluginFlags + (configuration == "release" ? ["-Xlinker", "-s"] : [])
    // What has PluginKit compiled into itself would get into the way of all others.
    let folder =
      package == "PluginCopy"
      ? FixtureBuilds.path("\(configuration)/\(package)") : PluginBuilds.folder(configuration)
    try await FixtureBuilds.shared.build(
      "\(configuration)/\(package)",
      [swift, "build", "-c", configuration, "--package-path", "\(root)/\(package)", "--scratch-path", folder]
        + PluginBuilds.flags + flags + more)
    return "\(folder)/\(configuration)"
  }

  /// Runs the host with libraries.
  static func host(_ folder: String, _ libraries: [String]) async throws -> Program {
    try await FixtureBuilds.run("\(folder)/Host", libraries)
  }

  /// Builds the plugins in C without any package manager, with one header and nothing else of this repository.
  static func compile(_ plugin: String, in folder: TemporaryFolder) throws -> String {
    let compiler = try #require(Program.find("clang") ?? Program.find("cc"))
    let library = folder.file("lib\(plugin).so")
    try FileManager.default.createDirectory(atPath: folder.file("include"), withIntermediateDirectories: true)
    let header = try Repository.bytes("Sources/Plugins/CSignetPlugin/include/signet_plugin.h")
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
}
