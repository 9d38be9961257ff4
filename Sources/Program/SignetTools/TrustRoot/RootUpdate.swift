internal import Keyless
internal import Signet
internal import SignetBase
internal import SignetFiles
internal import SignetSystem
internal import SignetTUF

/// An update of an instance's trusted root in a folder: `trusted_root.json`, and in `tuf/` the metadata that is trusted of its
/// repository, which holds the highest version that was seen of each role.
struct RootUpdate {
  /// The path of the folder.
  let folder: String

  /// The name of the trusted root, in the repository and in the folder.
  private static let name = "trusted_root.json"
  /// The largest trusted root that is taken: one has some 10 KiB.
  private static let limit = 1 << 20

  /// The path of the trusted root.
  var path: String { "\(folder)/\(Self.name)" }
  private var metadata: String { "\(folder)/tuf" }

  /// The root with which the folder has begun; nil if it has not.
  ///
  /// - Throws: `file.…`.
  func first() throws(SignetError) -> [UInt8]? {
    do throws(SignetError) { return try RegularFile(opening: firstPath).bytes(limit: TUFLimits.standard.root) } catch
      where error.code == .fileMissing
    {
      return nil
    }
  }

  private var firstPath: String { "\(metadata)/first" }

  /// Does the whole update. Nobody else updates the folder meanwhile: a slow mirror could put an old root over a new one.
  ///
  /// A first update that fails leaves nothing that the folder has begun with.
  ///
  /// - Parameters:
  ///   - root: the root to begin with, which must be the one with which the folder has begun; nil for that one.
  ///   - body: refreshes a client of the metadata.
  /// - Returns: whether the trusted root is another one than before.
  /// - Throws: `tuf.…`, `keyless.root`; `file.…`, `output.…`; what `body` throws.
  func run(
    beginningWith root: [UInt8]?, _ body: (TrustedMetadataFolder) throws(SignetError) -> TUFClient
  ) throws(SignetError) -> Bool {
    for path in [folder, metadata] {
      do throws(SystemFailure) { _ = try Directory.make(path, mode: 0o755) } catch {
        throw SignetError(.outputFailed, path, "cannot be created", cause: error)
      }
    }
    _ = try TrustedPath.openFolder(folder)
    let lock = try lock(TrustedPath.openFolder(metadata))
    defer { withExtendedLifetime(lock) {} }
    let known = try first()
    guard let begun = known ?? root else {
      throw SignetError(
        .tufNoRoot, folder, "has not begun", hint: "say which instance it is for: --instance, --first-root")
    }
    guard root.map({ $0 == begun }) ?? true else {
      throw SignetError(
        .outputExists, folder, "has begun with another root, of another repository or instance",
        hint: "name another folder")
    }
    let trusted = TrustedMetadataFolder(metadata)
    if known == nil {
      try trusted.begin(with: begun)
      try OutputFile.write(begun, to: firstPath, .replace(unless: []))
    }
    do throws(SignetError) { return try take(from: body(trusted)) } catch {
      // Nobody has seen what it began with.
      if known == nil { try? OutputFile.remove(firstPath); try? OutputFile.remove("\(metadata)/root.json") }
      throw error
    }
  }

  /// How long an update waits for another one, in milliseconds.
  private static let patience = 120_000

  private func lock(_ directory: Directory) throws(SignetError) -> LockFile {
    let isTaken: Bool
    let lock: LockFile
    do throws(SystemFailure) {
      lock = try LockFile("update", in: directory, isMade: true)
      isTaken = try lock.take(.exclusive, patience: Self.patience)
    } catch {
      throw SignetError(.outputFailed, folder, "cannot be locked", cause: error, hint: "check that it is writable")
    }
    guard isTaken else {
      throw SignetError(
        .fileLocked, folder, "is being updated by another process", hint: "run the command again when it has finished"
      )
    }
    return lock
  }

  /// Takes the trusted root that the repository offers now.
  ///
  /// The old one stays until the new one is whole and can be read.
  ///
  /// - Parameter client: a client that is refreshed.
  /// - Returns: whether it differs from the one that was there.
  /// - Throws: `tuf.…`, `keyless.root`; `file.…`, `output.…`.
  private func take(from client: TUFClient) throws(SignetError) -> Bool {
    guard let target = try client.target(Self.name) else {
      throw SignetError(
        .tufNoTarget, Self.name, "is not offered by the repository",
        hint: "give the address of a repository that publishes an instance of Sigstore")
    }
    guard target.file.length <= Self.limit else {
      throw SignetError(
        .tufTooLong, Self.name, "is longer than a trusted root can be", expected: "at most \(Self.limit) bytes",
        found: "\(target.file.length)")
    }
    let arrived = try client.download(target, toFile: "\(metadata)/arrived")
    let text = try RegularFile(opening: arrived).bytes(limit: Self.limit)
    do throws(SignetError) { _ = try SigstoreRoot(json: text) } catch {
      throw error.about("\(Self.name): \(error.object)")
    }
    if try known() == text { return false }
    try OutputFile.write(text, to: path, .replace(unless: []))
    return true
  }

  /// The trusted root that is there; nil if there is none.
  private func known() throws(SignetError) -> [UInt8]? {
    do throws(SignetError) { return try RegularFile(opening: path).bytes(limit: Self.limit) } catch
      where [.fileMissing, .fileTooLarge].contains(error.code)
    {
      return nil
    }
  }
}
