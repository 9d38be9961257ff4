public import SignetBase
internal import SignetFiles
internal import SignetSystem

/// The folder of a client: `ROLE.json` for each role that is trusted, with the bytes as they were received
/// (specification, sections 5.3.8, 5.4.5, 5.5.7, 5.6.6).
///
/// Each file is replaced in one step, so a process that is killed leaves the old or the new one. What the client keeps
/// for itself has names without `.json`.
public struct TrustedMetadataFolder: Sendable {
  /// The path of the folder.
  public let path: String

  /// How long a refresh waits for another process that refreshes the same folder, in milliseconds.
  private static let patience = 120_000
  /// The file that refreshes lock.
  private static let lockName = "lock"
  /// The newest time at which a refresh succeeded.
  private static let clockName = "clock"
  /// The version of the first root after which timestamp and snapshot must be dropped.
  private static let rotationName = "rotation"

  /// Names a folder, which need not exist yet.
  public init(_ path: String) { self.path = path }

  /// Puts a first trusted root into the folder, which is made if it is missing.
  ///
  /// - Parameter root: a root from a trusted place, such as the application's own package.
  /// - Throws: what ``TrustedRoot/init(_:name:)`` throws; `output.exists` if there is another trusted root;
  ///   `output.failed`.
  public func begin(with root: [UInt8]) throws(SignetError) {
    _ = try TrustedRoot(root)
    do throws(SystemFailure) { _ = try Directory.make(path, mode: 0o755) } catch {
      throw SignetError(.outputFailed, path, "cannot be created", cause: error)
    }
    if try stored("root", atMost: root.count) == root { return }
    do throws(SignetError) { try OutputFile.write(root, to: file("root"), .keep) } catch
      where error.code == .outputExists
    {
      throw SignetError(
        .outputExists, file("root"), "is another trusted root, from which newer ones may have followed", cause: error,
        hint: "refresh the folder, or name another one")
    }
  }

  /// Locks the folder for a refresh, until the result is released.
  ///
  /// - Throws: `tuf.no-root`; `file.locked` if another process does not end its refresh.
  func lock() throws(SignetError) -> LockFile {
    do throws(SignetError) {
      let directory = try Directory(opening: path)
      let lock = try Self.lockFile(directory)
      let isTaken: Bool
      do throws(SystemFailure) { isTaken = try lock.take(.exclusive, patience: Self.patience) } catch {
        throw SignetError(.fileUnreadable, path, "cannot be locked", cause: error)
      }
      guard isTaken else {
        throw SignetError(
          .fileLocked, path, "is being refreshed by another process",
          hint: "run the command again when it has finished"
        )
      }
      return lock
    } catch  where error.code == .fileMissing {
      throw noRoot(error)
    }
  }

  private static func lockFile(_ directory: Directory) throws(SignetError) -> LockFile {
    do throws(SystemFailure) { return try LockFile(lockName, in: directory, isMade: true) } catch {
      throw SignetError(
        .outputFailed, directory.path, "cannot be locked", cause: error, hint: "check that the folder is writable")
    }
  }

  /// The trusted root.
  ///
  /// - Throws: `tuf.no-root`; what ``TrustedRoot/init(_:name:)`` throws.
  func root(atMost limit: Int) throws(SignetError) -> TrustedRoot {
    guard let bytes = try stored("root", atMost: limit) else { throw noRoot(nil) }
    return try TrustedRoot(bytes)
  }

  /// The stored file of a role; nil if it is missing or longer than allowed.
  ///
  /// - Throws: `file.…` if it is there and cannot be read.
  func stored(_ role: String, atMost limit: Int) throws(SignetError) -> [UInt8]? {
    try content(of: PercentEncoding.roleName(role) + ".json", atMost: limit)
  }

  /// Stores the file of a role.
  ///
  /// - Throws: `output.failed`, `output.not-synced`.
  func store(_ role: String, _ bytes: [UInt8]) throws(SignetError) {
    try OutputFile.write(bytes, to: file(role), .replace(unless: []))
  }

  /// Removes the files of timestamp and snapshot, after their keys were replaced (section 5.3.11).
  ///
  /// - Throws: `output.failed`.
  func dropTimestampAndSnapshot() throws(SignetError) {
    // The snapshot first: a timestamp without its snapshot only costs a transfer.
    try OutputFile.remove(file("snapshot"))
    try OutputFile.remove(file("timestamp"))
  }

  private func file(_ role: String) -> String { "\(path)/\(PercentEncoding.roleName(role)).json" }

  private func content(of name: String, atMost limit: Int) throws(SignetError) -> [UInt8]? {
    do throws(SignetError) {
      return try RegularFile(opening: "\(path)/\(name)").bytes(limit: limit)
    } catch  where [.fileMissing, .fileTooLarge].contains(error.code) {
      return nil
    }
  }

  private func noRoot(_ cause: SignetError?) -> SignetError {
    SignetError(
      .tufNoRoot, path, "has no trusted root", expected: "root.json from a trusted place", cause: cause,
      hint: "begin with the root of the repository: signet tuf init ROOT --metadata-dir DIR")
  }
}

// MARK: What the client keeps for itself

extension TrustedMetadataFolder {
  private static let noteSize = 64

  /// The newest time at which a refresh succeeded, or nil.
  ///
  /// - Throws: `file.…` if it cannot be read.
  func lastRefresh() throws(SignetError) -> UnixTime? { try note(Self.clockName).flatMap { UnixTime($0) } }

  /// Remembers the time of a refresh.
  ///
  /// - Throws: `output.failed`, `output.not-synced`.
  func remember(refresh time: UnixTime) throws(SignetError) { try set(Self.clockName, time.description) }

  /// The version of the first root after which timestamp and snapshot must be dropped; nil if they must not.
  ///
  /// It is noted before that root is stored. So no process that is killed in between leaves them.
  ///
  /// - Throws: `file.…` if it cannot be read.
  func rotation() throws(SignetError) -> Int? { try note(Self.rotationName).flatMap { Int($0) } }

  /// Notes that timestamp and snapshot must be dropped once a root is trusted.
  ///
  /// - Throws: `output.failed`, `output.not-synced`.
  func note(rotation version: Int) throws(SignetError) { try set(Self.rotationName, "\(version)") }

  /// Forgets that timestamp and snapshot must be dropped.
  ///
  /// - Throws: `output.failed`.
  func forgetRotation() throws(SignetError) { try OutputFile.remove("\(path)/\(Self.rotationName)") }

  private func note(_ name: String) throws(SignetError) -> String? {
    guard let bytes = try content(of: name, atMost: Self.noteSize), bytes.last == UInt8(ascii: "\n") else {
      return nil
    }
    return String(decoding: bytes.dropLast(), as: UTF8.self)
  }

  private func set(_ name: String, _ text: String) throws(SignetError) {
    try OutputFile.write(Array("\(text)\n".utf8), to: "\(path)/\(name)", .replace(unless: []))
  }
}
