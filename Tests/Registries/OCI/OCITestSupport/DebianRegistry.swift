import Foundation
import SignetBase
import TestSupport
import Testing

@testable import HTTPTestSupport
@testable import SignetOCI

/// Debian's docker-registry on the loopback interface, with a folder of its own. It can be killed and started again.
final class DebianRegistry: @unchecked Sendable {
  // Sendable: a test does one thing after the other with it.
  static let program = Program.find("docker-registry")
  static let isMissing = Comment("no docker-registry; make test installs it")

  let port: UInt16
  private let folder: TemporaryFolder
  private var process: BackgroundProgram?

  /// Starts it.
  ///
  /// - Parameters:
  ///   - http: more lines below `http`.
  ///   - lines: more lines, in which FOLDER is its folder.
  ///   - files: files in its folder.
  init(http: String = "", lines: String = "", files: [String: [UInt8]] = [:]) throws {
    folder = try TemporaryFolder()
    // Another test may take the port before it is used: then this one fails, and says why.
    port = try RawServer { _ in [] }.port
    for (name, bytes) in files { try folder.write(name, bytes, mode: 0o600) }
    let text = """
      version: 0.1
      log: {level: error, accesslog: {disabled: true}}
      storage: {filesystem: {rootdirectory: FOLDER/data}, delete: {enabled: true}}
      http:
        addr: 127.0.0.1:\(port)
        secret: of-the-test
      \(http)
      \(lines)

      """
    try folder.write("config.yml", Array(text.replacing("FOLDER", with: folder.path).utf8))
    try start()
  }

  var host: String { "127.0.0.1:\(port)" }

  /// Starts it, and returns when it listens.
  func start() throws {
    let process = try BackgroundProgram(
      #require(Self.program), ["serve", folder.file("config.yml")], in: folder.path)
    self.process = process
    while !process.hasEnded, !Self.listens(port) { usleep(5000) }
    try #require(!process.hasEnded, "\(process.errors)")
  }

  /// Ends it as a loss of power would.
  func kill() { process?.kill() }

  /// Lets a repository forget its blobs, as a collection of garbage that went too far would.
  func forgetBlobs(of name: String) throws {
    try FileManager.default.removeItem(
      atPath: folder.file("data/docker/registry/v2/repositories/\(name)/_layers"))
  }

  /// What it wrote about errors.
  var errors: String { process?.errors ?? "" }

  private static func listens(_ port: UInt16) -> Bool {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(number) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    address.sin_port = port.bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  /// A client of a repository.
  func client(
    _ name: String = "a/b", _ change: (inout RegistrySettings) -> Void = { _ in }
  ) throws -> OCIRegistry {
    var settings = RegistrySettings()
    settings.isPlain = true
    change(&settings)
    return try OCIRegistry(#require(RepositoryName("\(host)/\(name)"[...])), settings)
  }
}
