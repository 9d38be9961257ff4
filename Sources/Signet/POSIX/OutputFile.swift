package import SignetCrypto

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Writes files that appear whole or not at all.
///
/// The bytes go to a file without a name (O_TMPFILE) or, where the file system has none, to one with a random name;
/// they are synced, and only then is the file given its name, in one step. A crash, a full disk or a signal leaves
/// what was there before.
package enum OutputFile {
  /// What to do with a file that has the name already.
  package enum Existing: Sendable {
    /// Refuse.
    case keep
    /// Replace it in one step, unless it is one of these.
    case replace(unless: [FileStatus.Identity])
  }

  /// Makes sure that the name is free, or may be taken, before long work is done for it.
  ///
  /// - Throws: `output.exists`, `output.is-input`.
  package static func check(_ path: String, _ existing: Existing) throws(SignetError) {
    let status: FileStatus
    do throws(SignetError) {
      status = try FileStatus(ofLink: path)
    } catch  where error.code == .fileMissing {
      return
    }
    switch existing {
    case .keep:
      throw SignetError(
        .outputExists, path, "exists already",
        hint: "choose another name, or move it away; --force replaces it where there is such an option")
    case .replace(let inputs):
      guard status.kind != .directory else {
        throw SignetError(.outputFailed, path, "is a directory", expected: "the name of a file")
      }
      guard !inputs.contains(status.identity) else {
        throw SignetError(.outputIsInput, path, "is read in the same run", hint: "choose another name for the output")
      }
    }
  }

  /// Writes a file.
  ///
  /// - Parameter mode: the permissions of a new file, before the umask.
  /// - Throws: `output.exists`, `output.is-input`, `output.failed`.
  package static func write(
    _ bytes: [UInt8], to path: String, mode: UInt32 = 0o644, _ existing: Existing
  ) throws(SignetError) {
    try write(to: path, mode, existing) { descriptor in
      unsafe bytes.withUnsafeBytes { unsafe writeAll(descriptor, $0) }
    }
  }

  /// Writes a file of secret bytes, readable by its owner alone; it never replaces another.
  ///
  /// - Throws: `output.exists`, `output.failed`.
  package static func write(secret: SecretBytes, to path: String) throws(SignetError) {
    try write(to: path, 0o600, .keep) { descriptor in
      secret.withBytes { bytes in
        unsafe bytes.withUnsafeBytes { unsafe writeAll(descriptor, $0) }
      }
    }
  }

  /// Removes a file; one that is not there is as good as removed.
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
    do throws(SystemFailure) {
      let draft = try DraftFile(beside: path, mode: mode)
      if let failure = fill(draft.descriptor) { throw failure }
      switch existing {
      case .keep: try draft.publish(replacing: false)
      case .replace: try draft.publish(replacing: true)
      }
    } catch  where error.number == EEXIST {
      throw SignetError(.outputExists, path, "exists already", cause: error, hint: "choose another name")
    } catch {
      throw SignetError(
        .outputFailed, path, "cannot be written; nothing of it is left", cause: error,
        hint: "check that the folder exists, may be written to and has space")
    }
  }

  private static func writeAll(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> SystemFailure? {
    var done = 0
    while done < bytes.count {
      let count = unsafe Self.system(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
      if count < 0 {
        let failure = SystemFailure.last("write")
        if failure.number == EINTR { continue }
        return failure
      }
      done += count
    }
    return nil
  }

  private static func system(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe Self.libcWrite(descriptor, bytes, count)
  }

  #if canImport(Darwin)
    private static let libcWrite = unsafe Darwin.write
  #elseif canImport(Musl)
    private static let libcWrite = unsafe Musl.write
  #else
    private static let libcWrite = unsafe Glibc.write
  #endif
}
