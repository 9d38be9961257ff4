import Foundation

/// A folder of its own for one test, readable by its owner alone, gone with the value.
public final class TemporaryFolder {
  /// Where it is, without symbolic links on the way.
  public let path: String

  /// Makes the folder, in memory where that is asked for and there is a place: for what is not about disks and would wait
  /// for one.
  public init(inMemory: Bool = false) throws {
    let memory = URL(fileURLWithPath: "/dev/shm")
    let base =
      inMemory && FileManager.default.isWritableFile(atPath: memory.path)
      ? memory : FileManager.default.temporaryDirectory
    let template = base.appendingPathComponent("signet-test-XXXXXX").path
    var bytes = Array(template.utf8CString)
    guard mkdtemp(&bytes) != nil else { throw CocoaError(.fileWriteUnknown) }
    path =
      URL(fileURLWithPath: String(decoding: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
      .resolvingSymlinksInPath().path
  }

  deinit {
    // A test may have taken the permissions away.
    chmod(path, 0o700)
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of something in it.
  public func file(_ name: String) -> String { path + "/" + name }

  /// Writes a file and gives its path.
  @discardableResult
  public func write(_ name: String, _ bytes: [UInt8], mode: mode_t = 0o644) throws -> String {
    let path = file(name)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    chmod(path, mode)
    return path
  }

  /// Reads a file.
  public func read(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: file(name)))) }

  /// The names of what is in the folder, sorted.
  public func listing() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
}
