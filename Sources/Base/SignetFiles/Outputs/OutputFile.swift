package import SignetBase
package import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Writes files that appear whole or not at all.
///
/// The bytes go to a file without a name (O_TMPFILE), or to one with a random name if the file system has no unnamed
/// files. They are synced, and only then is the file given its name, in one step. A crash, a full disk or a signal
/// leaves what was there before.
package enum OutputFile {
  /// What to do with an existing file of the same name.
  package enum Existing: Sendable {
    /// Refuse.
    case keep
    /// Replace the file in one step, unless it is one of these.
    case replace(unless: [FileStatus.Identity])
  }

  /// Checks that the name is free, or may be replaced, before long work is done for it.
  ///
  /// - Throws: `output.exists`, `output.is-input`, `output.failed`.
  package static func check(_ path: String, _ existing: Existing) throws(SignetError) {
    // Elsewhere a hyphen is standard input or output, so nobody means a file of that name.
    guard !path.isExactly("-") else {
      throw SignetError(
        .outputFailed, path, "is no name for a file here, and standard output takes none", expected: "a path",
        hint: "name a file; one that is called - is ./-")
    }
    let status: FileStatus
    do throws(SignetError) {
      status = try FileStatus(ofLink: path)
    } catch  where error.code == .fileMissing {
      return
    } catch {
      throw SignetError(.outputFailed, path, "cannot be written", cause: error.cause, hint: "check the folder")
    }
    switch existing {
    case .keep:
      throw SignetError(.outputExists, path, "already exists", hint: "choose another name, or move it away")
    case .replace(let inputs):
      guard status.kind == .regular || status.kind == .symbolicLink && !isOfSystem(path) else {
        throw SignetError(.outputFailed, path, "is not a regular file", expected: "a file that may be replaced")
      }
      let identities = [status.identity] + FileStatus.identities(of: [path])
      guard inputs.allSatisfy({ !identities.contains($0) }) else {
        throw SignetError(
          .outputIsInput, path, "is an input of the same command", hint: "choose another name for the output")
      }
    }
  }

  /// Whether a link is the system's, such as `/dev/stdout`, or leads to what is not a file. Nobody means to replace it.
  private static func isOfSystem(_ link: String) -> Bool {
    let folder = FileStatus.identities(of: [OutputFolder.path(of: link)])
    guard FileStatus.identities(of: ["/dev"]).allSatisfy({ !folder.contains($0) }) else { return true }
    guard let target = try? FileStatus(at: link) else { return false }
    return target.kind != .regular
  }

  /// Checks that a file would not be inside a directory, at any depth.
  ///
  /// - Throws: `output.is-input`.
  package static func check(_ path: String, outside directory: FileStatus.Identity) throws(SignetError) {
    guard OutputFolder(of: path).lies(in: directory) else { return }
    throw SignetError(
      .outputIsInput, path, "is inside the directory that is read", expected: "a place outside",
      hint: "choose another place for the output")
  }

  /// Whether a folder is a directory, or is inside it at any depth.
  package static func isFolder(_ path: String, in directory: FileStatus.Identity) -> Bool {
    OutputFolder(of: path + "/.").lies(in: directory)
  }

  /// Whether two paths would name the same new file.
  package static func isSame(_ path: String, _ other: String) -> Bool {
    func name(_ path: String) -> [UInt8] { Array(path.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }) }
    let folders = FileStatus.identities(of: [OutputFolder.path(of: path)])
    let others = FileStatus.identities(of: [OutputFolder.path(of: other)])
    return path.isExactly(other) || name(path) == name(other) && !folders.isEmpty && folders == others
  }

  /// Writes a file.
  ///
  /// - Parameter mode: the permissions of a new file, before the umask; a replaced file keeps its permissions.
  /// - Throws: `output.exists`, `output.is-input`, `output.failed`, `output.not-synced`.
  package static func write(
    _ bytes: [UInt8], to path: String, mode: UInt32 = 0o644, _ existing: Existing
  ) throws(SignetError) {
    try write(to: path, mode, existing) { descriptor in
      unsafe bytes.withUnsafeBytes { unsafe writeAll(descriptor, $0) }
        ?? keepPermissions(of: path, existing, descriptor)
    }
  }

  /// Gives a new file the permissions of the one that it replaces.
  private static func keepPermissions(of path: String, _ existing: Existing, _ descriptor: Int32) -> SystemFailure? {
    guard case .replace = existing, let old = try? FileStatus(ofLink: path), old.kind == .regular,
      fchmod(descriptor, mode_t(permissions(of: old, path))) != 0
    else { return nil }
    return .last("fchmod")
  }

  /// Writes a file of secret bytes that only its owner can read; it never replaces another file.
  ///
  /// - Throws: `output.exists`, `output.failed`.
  package static func write(secret: SecretBytes, to path: String) throws(SignetError) {
    try write(to: path, 0o600, .keep) { descriptor in
      secret.withBytes { bytes in
        unsafe bytes.withUnsafeBytes { unsafe writeAll(descriptor, $0) }
      }
    }
  }

  /// Writes a file from a source of bytes.
  ///
  /// - Parameter mode: the permissions of a new file, before the umask; a replaced file keeps its permissions.
  /// - Parameter check: throws if the source has changed, and is called once the bytes have been copied.
  /// - Throws: `output.exists`, `output.is-input`, `output.failed`, `output.not-synced`, what reading and the check
  ///   throw.
  package static func write(
    _ source: any ByteSource, to path: String, mode: UInt32 = 0o644, _ existing: Existing,
    check: () throws(SignetError) -> Void
  ) throws(SignetError) {
    var failure: SignetError?
    do throws(SignetError) {
      try write(to: path, mode, existing) { descriptor in
        do throws(SignetError) {
          if let failure = try copy(source, to: descriptor) { return failure }
          try check()
          return keepPermissions(of: path, existing, descriptor)
        } catch {
          failure = error
          return SystemFailure("read", number: EIO)
        }
      }
    } catch {
      throw failure ?? error
    }
  }

  /// The permissions for a file that replaces another one.
  ///
  /// The new file has no access control list. With one, the group's bits of the old file say what the list permits at
  /// most, and the group would get that.
  private static func permissions(of old: FileStatus, _ path: String) -> UInt32 {
    let (group, others) = (old.mode & 0o070, old.mode & 0o707)
    guard group != 0 else { return others }
    do throws(SignetError) {
      return others | (try AccessList.read(.path(path), path)?.groupBits ?? group)
    } catch {
      return others
    }
  }

  private static let copySize = 1 << 20

  private static func copy(_ source: any ByteSource, to descriptor: Int32) throws(SignetError) -> SystemFailure? {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: copySize, alignment: 4096)
    defer { unsafe buffer.deallocate() }
    for offset in stride(from: 0, to: source.size, by: copySize) {
      let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(copySize, source.size - offset)])
      try unsafe source.read(into: part, at: offset)
      if let failure = unsafe writeAll(descriptor, UnsafeRawBufferPointer(part)) { return failure }
    }
    return nil
  }

  /// Removes a file; a missing file counts as removed.
  ///
  /// - Throws: `output.failed`.
  package static func remove(_ path: String) throws(SignetError) {
    guard unsafe unlink(path) != 0, errno != ENOENT else { return }
    throw SignetError(.outputFailed, path, "cannot be removed", cause: SystemFailure.last("unlink"))
  }

  private static func write(
    to path: String, _ mode: UInt32, _ existing: Existing, _ fill: (Int32) -> SystemFailure?
  ) throws(SignetError) {
    try check(path, existing)
    do throws(DraftFile.Failure) {
      let draft = try draft(beside: path, mode, fill)
      switch existing {
      case .keep: try draft.publish()
      case .replace: try draft.publishReplacing()
      }
    } catch {
      throw complaint(path, error)
    }
  }

  static func complaint(_ path: String, _ failure: DraftFile.Failure) -> SignetError {
    switch failure {
    case .nothingDone(let failure) where failure.number == EEXIST:
      SignetError(.outputExists, path, "already exists", cause: failure, hint: "choose another name")
    case .nothingDone(let failure):
      SignetError(
        .outputFailed, path, "cannot be written; nothing of it is left", cause: failure,
        hint: "check that the folder exists, is writable and has space")
    case .notSynced(let failure):
      SignetError(
        .outputNotSynced, path, "was written, but may be lost if the power fails now",
        cause: failure, hint: "check the disk, and write it again")
    }
  }

  private static func draft(
    beside path: String, _ mode: UInt32, _ fill: (Int32) -> SystemFailure?
  ) throws(DraftFile.Failure) -> DraftFile {
    do throws(SystemFailure) {
      let draft = try DraftFile(beside: path, mode: mode)
      if let failure = fill(draft.descriptor) { throw failure }
      return draft
    } catch {
      throw .nothingDone(error)
    }
  }

  private static func writeAll(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> SystemFailure? {
    do throws(SystemFailure) {
      try unsafe SystemCall.write(descriptor, bytes)
      return nil
    } catch {
      return error
    }
  }
}
