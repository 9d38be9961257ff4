import Foundation

/// Where the repository's files are, found from this file's own path.
public enum Repository {
  /// The repository's folder.
  public static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  /// A file of the repository.
  public static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: root + "/" + path)))
  }

  /// A text of the repository.
  public static func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }
}
