import Foundation
import SignetBase

/// Builds packages of Fixtures, each by itself and once: no two share a folder, as those of a host and of strangers do not.
public actor FixtureBuilds {
  /// All of this process.
  public static let shared = FixtureBuilds()

  private var builds: [String: Task<Void, any Error>] = [:]

  /// Runs a build once, after those that were asked for before: there are two cores for all tests.
  ///
  /// - Parameters:
  ///   - folder: where its products are to be, below the repository's folder for fixtures.
  ///   - sources: folders of other packages that it is built from.
  ///   - command: the program and its arguments, told where the products are to be.
  /// - Returns: where the products are.
  public func build(
    _ folder: String, sources: [String], _ command: @escaping @Sendable (String) -> [String]
  ) async throws -> String {
    let path = "\(Repository.root)/.build-fixtures/\(folder)"
    let earlier = Array(builds.values)
    let build =
      builds[folder]
      ?? Task {
        for build in earlier { _ = try? await build.value }
        try Self.forgetOldPlan(path, sources)
        let words = command(path)
        let result = try await Self.run(words[0], Array(words.dropFirst()), environment: Self.localGit)
        guard result.status == 0 else {
          throw BuildFailure(description: "\(folder): \(result.output)\(result.errors)")
        }
      }
    builds[folder] = build
    try await build.value
    return path
  }

  /// A build keeps its list of another package's files: one that came since would be missing.
  private static func forgetOldPlan(_ folder: String, _ sources: [String]) throws {
    let files = try sources.flatMap { source in
      try FileManager.default.subpathsOfDirectory(atPath: "\(Repository.root)/\(source)").sorted()
    }
    let list = Data(files.joined(separator: "\n").utf8)
    let note = "\(folder)/files"
    guard FileManager.default.contents(atPath: note) != list else { return }
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try list.write(to: URL(filePath: note))
  }

  /// The build in which this test runs has the repositories of the packages that this one needs: git takes them from there,
  /// so that no network is needed. None of them is compiled.
  public static var localGit: [String: String] {
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

  /// Runs a program and waits on a thread of its own: those of tasks are as few as the cores.
  public static func run(
    _ path: String, _ arguments: [String], in folder: String? = nil, environment: [String: String] = [:],
    input: [UInt8] = []
  ) async throws -> Program {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            try Program.run(path, arguments, in: folder, environment: environment, input: input)
          })
      }
    }
  }
}

/// A package that cannot be built.
public struct BuildFailure: Error, CustomStringConvertible {
  /// What the build wrote.
  public let description: String
}
