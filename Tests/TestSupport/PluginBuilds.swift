import Foundation

/// The folder in which all plugins of one configuration are built, so that PluginKit and its faces are compiled once for them.
///
/// A compiler's argument that only some of the builds have would compile them again for each.
public enum PluginBuilds {
  /// Where the package manager puts what it builds. `Fixtures/build` uses it, too.
  public static func folder(_ configuration: String) -> String { FixtureBuilds.path("\(configuration)/plugins") }

  /// What the package manager is told besides: what it fetches stays in the folder, and it looks at all packages anew,
  /// because the plan that it keeps may be another package's, or of earlier files.
  public static let flags = ["--disable-dependency-cache", "--disable-build-manifest-caching"]

  /// Runs a command that makes a plugin which `signet new module` or `signet spec init` has begun, while nothing else is built.
  public static func make(_ command: String, in folder: String) async throws -> Program {
    try await FixtureBuilds.inTurn {
      try forgetLibraries()
      return try await Shell.runAside(command, in: folder, variables: variables)
    }
  }

  /// Runs the commands of a document that makes a plugin, while nothing else is built.
  public static func run(
    _ page: Walkthrough, in folder: TemporaryFolder
  ) async throws -> (commands: Int, shown: [String]) {
    try await FixtureBuilds.inTurn {
      try forgetLibraries()
      return try await page.run(in: folder, variables: variables)
    }
  }

  /// Removes the libraries of earlier plugins: one that a plugin's package no longer makes would pass for its own.
  private static func forgetLibraries() throws {
    let products = folder("debug") + "/debug"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: products)) ?? []
    for name in names where name.hasSuffix("Module.so") {
      try FileManager.default.removeItem(atPath: "\(products)/\(name)")
    }
  }

  /// Variables for a plugin's Makefile.
  private static var variables: [String: String] {
    // A night builds each plugin where nothing was built before.
    let builds =
      Extent.isWhole
      ? ["PLUGIN_BUILDS": ".build"] : ["PLUGIN_BUILDS": folder("debug"), "SWIFT_BUILD_FLAGS": flags[0]]
    return ["CONFIGURATION": "debug"].merging(builds) { $1 }.merging(FixtureBuilds.localGit) { $1 }
  }
}
