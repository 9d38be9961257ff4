public import SignetBase
internal import SignetSystem

/// A place from which files of a repository come: an HTTP server, an object store, a directory. Nobody trusts it.
public protocol RepositorySource: Sendable {
  /// The name of the place, for messages, such as its URL.
  var name: String { get }

  /// Gives the bytes of a file piece by piece.
  ///
  /// The client refuses what is longer than `limit`, even if the source goes on; a source should end then, too.
  ///
  /// - Parameters:
  ///   - path: the path of the file relative to the place. It is encoded as in a URL, and is appended as it is.
  ///   - limit: the length of the file at most, in bytes.
  ///   - receive: takes the pieces in their order.
  /// - Throws: `tuf.not-found` if the place says that there is no such file (HTTP 403 and 404); any other code if
  ///   nothing is known about it; what `receive` throws.
  func read(
    _ path: String, atMost limit: Int, _ receive: ([UInt8]) throws(SignetError) -> Void
  ) throws(SignetError)
}

extension RepositorySource {
  /// The whole bytes of a file.
  ///
  /// - Throws: `tuf.too-long` as soon as there are more bytes than `limit`; what the source throws.
  public func bytes(of path: String, atMost limit: Int) throws(SignetError) -> [UInt8] {
    var bytes: [UInt8] = []
    try bounded(path, atMost: limit) { (piece) throws(SignetError) in bytes += piece }
    return bytes
  }

  /// Gives the bytes of a file, and ends endless data.
  func bounded(
    _ path: String, atMost limit: Int, _ receive: ([UInt8]) throws(SignetError) -> Void
  ) throws(SignetError) {
    var count = 0
    try read(path, atMost: limit) { (piece) throws(SignetError) in
      count += piece.count
      guard count <= limit else {
        throw SignetError(
          .tufTooLong, path.display, "is longer than stated or allowed", expected: "at most \(limit) bytes",
          found: "more", hint: "use another mirror, or ask the owner of the repository")
      }
      try receive(piece)
    }
  }
}

/// A repository in a directory of this machine.
public struct DirectorySource: RepositorySource {
  /// The path of the directory.
  public let name: String
  private let directory: Directory
  private static let pieceSize = 1 << 20

  /// Opens a directory.
  ///
  /// - Throws: `file.missing`, `file.unreadable`, `file.not-directory`.
  public init(_ path: String) throws(SignetError) {
    directory = try Directory(opening: path)
    name = path
  }

  /// Gives the bytes of a file below the directory. Links are not followed.
  ///
  /// - Throws: `tuf.not-found`, also for a path that leads out of the directory; `file.…`; what `receive` throws.
  public func read(
    _ path: String, atMost limit: Int, _ receive: ([UInt8]) throws(SignetError) -> Void
  ) throws(SignetError) {
    guard let plain = PercentEncoding.decode(path), Self.isBelow(plain) else { throw Self.missing(path, nil) }
    let file: RegularFile
    do throws(SignetError) { file = try directory.file(plain) } catch  where Self.means(error.code) {
      throw Self.missing(path, error)
    }
    for offset in stride(from: 0, to: file.size, by: Self.pieceSize) {
      try receive(try file.bytes(in: offset..<min(file.size, offset + Self.pieceSize)))
    }
  }

  private static func isBelow(_ path: String) -> Bool {
    let names = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return names.allSatisfy { !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }
  }

  private static func means(_ code: SignetError.Code) -> Bool {
    [.fileMissing, .fileIsDirectory, .fileNotDirectory, .fileNotRegular].contains(code)
  }

  private static func missing(_ path: String, _ cause: SignetError?) -> SignetError {
    SignetError(.tufNotFound, path.display, "is not in the repository", cause: cause)
  }
}

/// A mirror: where the metadata of a repository is, and where its targets are.
public struct RepositoryMirror: Sendable {
  /// The place of the metadata.
  public let metadata: any RepositorySource
  /// The place of the targets.
  public let targets: any RepositorySource

  /// Creates a mirror.
  public init(metadata: any RepositorySource, targets: any RepositorySource) {
    self.metadata = metadata
    self.targets = targets
  }
}
