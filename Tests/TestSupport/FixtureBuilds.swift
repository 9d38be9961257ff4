import Foundation
import SignetBase

/// Builds packages of Fixtures and those that tests begin, one after the other: other tests want a core, too.
public actor FixtureBuilds {
  /// All of this process.
  public static let shared = FixtureBuilds()

  private var builds: [String: Task<Void, any Error>] = [:]

  /// Runs a build once.
  ///
  /// - Parameters:
  ///   - name: what is built.
  ///   - command: the program and its arguments.
  public func build(_ name: String, _ command: [String]) async throws {
    let build =
      builds[name]
      ?? Task {
        try await Self.inTurn {
          let result = try await Self.run(
            command[0], Array(command.dropFirst()), environment: Self.localGit.merging(["SIGNET_BUILDS": "1"]) { $1 })
          guard result.status == 0 else {
            throw BuildFailure(description: "\(name): \(result.output)\(result.errors)")
          }
        }
      }
    builds[name] = build
    try await build.value
  }

  /// A folder below the repository's folder for fixtures.
  public static func path(_ folder: String) -> String { "\(Repository.root)/.build-fixtures/\(folder)" }

  /// Runs something that builds, while nothing else does, in no process: one build's products are not another one's.
  public static func inTurn<Value>(_ body: () async throws -> Value) async throws -> Value {
    // Closing it lets go of the lock, and so does the end of the process.
    let lock = try await aside {
      try FileManager.default.createDirectory(atPath: path(""), withIntermediateDirectories: true)
      let lock = open(path("lock"), O_CREAT | O_RDWR | O_CLOEXEC, 0o644)
      guard lock >= 0 else { throw BuildFailure(description: "no lock: \(String(cString: strerror(errno)))") }
      while flock(lock, LOCK_EX) != 0, errno == EINTR {}
      return lock
    }
    defer { close(lock) }
    return try await body()
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
    try await aside { try Program.run(path, arguments, in: folder, environment: environment, input: input) }
  }

  private static func aside<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
  }
}

/// A package that cannot be built.
public struct BuildFailure: Error, CustomStringConvertible {
  /// What the build wrote.
  public let description: String
}
