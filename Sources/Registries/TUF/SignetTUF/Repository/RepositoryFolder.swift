public import SignetBase
internal import SignetFiles
internal import SignetSystem

/// A repository of The Update Framework in a plain directory, which any server of files can offer.
///
/// `metadata/` has `N.ROLE.json` for each version of a role and `timestamp.json`; `targets/` has `DIR/HASH.NAME` for
/// each target (specification, section 6.2: consistent snapshots). `pending/` has drafts that people have yet to sign;
/// clients never ask for them.
///
/// A versioned file is written once and never replaced. The timestamp is the only file that is: its replacement is the
/// moment at which a change takes place.
public struct RepositoryFolder: Sendable {
  /// The path of the folder.
  public let path: String

  /// How long a change waits for another one, in milliseconds.
  private static let patience = 120_000
  /// The file that changes lock.
  private static let lockName = "lock"
  /// The folder of the metadata.
  public static let metadataName = "metadata"
  /// The folder of the targets.
  public static let targetsName = "targets"
  /// The folder of the drafts.
  static let pendingName = "pending"

  /// Decides whether the path of a published target may stand for other bytes from now on, or for none.
  ///
  /// It gets the target as it is published and as it would be, nil if it would disappear. It throws why a change is wrong;
  /// false refuses it as `tuf.target-changed`.
  public typealias ReplacementRule =
    @Sendable (_ old: TargetFile, _ new: TargetFile?) throws(SignetError) -> Bool
  let mayReplace: ReplacementRule

  /// Names a folder, which need not exist yet.
  ///
  /// - Parameters:
  ///   - path: the path of the folder.
  ///   - mayReplace: which targets may get other bytes or disappear. Without it they may disappear.
  public init(_ path: String, mayReplace: @escaping ReplacementRule = { $1 == nil }) {
    self.path = path
    self.mayReplace = mayReplace
  }

  /// Makes the folder and those in it, as far as they are missing.
  ///
  /// - Throws: `output.failed`.
  public func make() throws(SignetError) {
    for folder in [path] + [Self.metadataName, Self.targetsName, Self.pendingName].map({ "\(path)/\($0)" }) {
      try Self.makeDirectory(folder)
    }
  }

  /// Reads and verifies the repository, as far as all changes need it. Delegated roles are read when they are asked for.
  ///
  /// Expired metadata is read, too: its owner is about to replace it.
  ///
  /// - Throws: `tuf.no-repository`; what breaks the chain from the first root to the top-level targets: what
  ///   ``UnverifiedMetadata/init(_:name:)`` throws, `tuf.threshold`, `tuf.wrong-version`, `tuf.not-found`,
  ///   `tuf.hash-mismatch`, `tuf.too-short`, `tuf.too-long`; `file.…`.
  public func load() throws(SignetError) -> RepositoryContent { try RepositoryContent(reading: self) }

  /// Reads the repository for a change. Nobody else changes it until the body has ended.
  ///
  /// Readers need no lock: what they see is what the timestamp names.
  ///
  /// - Throws: what ``load()`` and the body throw; `file.locked` if another change does not end.
  public func changing<Value>(
    _ body: (RepositoryContent) throws(SignetError) -> Value
  ) throws(SignetError) -> Value {
    let lock = try lock()
    defer { withExtendedLifetime(lock) {} }
    return try body(load())
  }

  /// Checks that the folder is there, and has metadata as a repository has.
  ///
  /// - Throws: `tuf.no-repository`; `file.not-directory` for a link, and other `file.…`.
  public func checkPlace() throws(SignetError) {
    do throws(SignetError) { _ = try directory(Self.metadataName) } catch  where error.code == .fileMissing {
      throw missing(error)
    }
  }

  private func lock() throws(SignetError) -> LockFile {
    let directory: Directory
    do throws(SignetError) {
      directory = try Directory(opening: path)
      // A folder that is no repository gets no file.
      _ = try directory.subdirectory(Self.metadataName)
    } catch  where error.code == .fileMissing {
      throw missing(error)
    }
    do throws(SystemFailure) {
      let lock = try LockFile(Self.lockName, in: directory, isMade: true)
      if try lock.take(.exclusive, patience: Self.patience) { return lock }
    } catch {
      throw SignetError(
        .outputFailed, path, "cannot be locked", cause: error, hint: "check that the folder is writable")
    }
    throw SignetError(
      .fileLocked, path, "is being changed by another process", hint: "run the command again when it has finished")
  }

  func missing(_ cause: SignetError?) -> SignetError {
    SignetError(
      .tufNoRepository, path, "is no repository", expected: "the folders metadata, targets and pending", cause: cause,
      hint: "begin one: signet repo init DIRECTORY --root-key KEY --targets-key KEY --online-key KEY")
  }

  /// Makes a directory, and makes sure that it outlives a loss of power.
  static func makeDirectory(_ path: String) throws(SignetError) {
    do throws(SystemFailure) {
      guard try Directory.make(path, mode: 0o755) else { return }
    } catch {
      throw SignetError(.outputFailed, path, "cannot be created", cause: error)
    }
    let directory = try Directory(opening: "\(path)/..")
    do throws(SystemFailure) { try directory.sync() } catch {
      throw SignetError(.outputFailed, path, "cannot be synced to the disk", cause: error)
    }
  }

  /// Opens one of the folders, or one below it, name by name. No link is followed: somebody who can write into the
  /// repository must not lead changes of it to other places.
  ///
  /// - Throws: `file.missing`; `file.not-directory`, also for a link; `file.unreadable`.
  func directory(_ place: String) throws(SignetError) -> Directory {
    var directory = try Directory(opening: path)
    for name in place.utf8.split(separator: UInt8(ascii: "/")) {
      directory = try directory.subdirectory(String(decoding: name, as: UTF8.self))
    }
    return directory
  }

  /// Removes a file of the folder; a missing one counts as removed.
  ///
  /// - Throws: `output.failed`, also if there is a link on the way.
  func remove(_ name: String) throws(SignetError) {
    let directory = try Directory(opening: path)
    do throws(SystemFailure) { try directory.removeFile(name) } catch {
      throw SignetError(.outputFailed, "\(path)/\(name)", "cannot be removed", cause: error)
    }
  }

  /// The bytes of a file in the folder, or nil.
  ///
  /// - Throws: `file.too-large` for a file that no client would take; `file.…`.
  func file(_ name: String) throws(SignetError) -> [UInt8]? {
    do throws(SignetError) {
      return try RegularFile(opening: "\(path)/\(name)").bytes(limit: TUFLimits.standard.longestFile)
    } catch  where error.code == .fileMissing {
      return nil
    }
  }

  /// The names in one of the folders. A missing folder is empty, as git leaves it; only that of the metadata must be there.
  ///
  /// - Throws: `tuf.no-repository`; `file.not-directory` for a link, and other `file.…`.
  func names(in folder: String) throws(SignetError) -> [String] {
    let directory: Directory
    do throws(SignetError) { directory = try self.directory(folder) } catch  where error.code == .fileMissing {
      guard folder == Self.metadataName else { return [] }
      throw missing(error)
    }
    do throws(SystemFailure) {
      return try directory.names(upTo: .max - 1).names.compactMap { String(validating: $0, as: UTF8.self) }
        .sorted { $0.precedesInBytes($1) }
    } catch {
      throw SignetError(.fileUnreadable, directory.path, "cannot be read", cause: error)
    }
  }
}
