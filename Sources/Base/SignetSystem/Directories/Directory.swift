public import SignetBase

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A directory, opened once for reading.
///
/// Everything later said about the directory concerns this descriptor. Its contents are reached from the descriptor,
/// name by name, through directories only: no path is looked up again, and no link is followed.
public final class Directory: Sendable {
  /// The maximum number of names in a directory that a person fills.
  private static let entryLimit = 10_000

  /// The path by which the directory was opened, for messages.
  public let path: String
  /// The directory's status when it was opened.
  package let status: FileStatus
  package let descriptor: Int32

  /// Opens a directory, following symbolic links as users expect for a directory they name.
  ///
  /// - Throws: `file.missing`, `file.unreadable`, `file.not-directory`.
  public init(opening path: String) throws(SignetError) {
    guard !path.utf8.contains(0) else { throw SignetError(.fileMissing, path, "a path cannot contain NUL") }
    let number: Int32
    do throws(SystemFailure) {
      number = try Self.descend(Array(path.utf8), in: AT_FDCWD, flags: 0)
    } catch {
      guard error.number != ENOTDIR else {
        throw SignetError(.fileNotDirectory, path, "is not a directory", expected: "a directory", cause: error)
      }
      throw RegularFile.refusal(path, error)
    }
    do throws(SignetError) {
      status = try FileStatus(of: number, path: path)
    } catch {
      close(number)
      throw error
    }
    self.path = path
    descriptor = number
  }

  /// Takes a descriptor of a directory that is open for reading, and closes it at the end, even if this initializer
  /// fails.
  private init(takingOwnershipOf descriptor: Int32, path: String) throws(SignetError) {
    do throws(SignetError) {
      status = try FileStatus(of: descriptor, path: path)
    } catch {
      close(descriptor)
      throw error
    }
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Opens a directory in this one, without following links.
  ///
  /// - Throws: `file.missing`, `file.unreadable`, `file.not-directory`.
  package func subdirectory(_ name: String) throws(SignetError) -> Directory {
    let name = Array(name.utf8)
    let number: Int32
    do throws(SystemFailure) {
      number = try Self.descend(name, in: descriptor)
    } catch {
      // O_NOFOLLOW: a link is not a directory either.
      guard error.number != ENOTDIR, error.number != ELOOP else {
        throw SignetError(.fileNotDirectory, shown(name), "is not a directory", expected: "a directory", cause: error)
      }
      throw RegularFile.refusal(shown(name), error)
    }
    return try Directory(takingOwnershipOf: number, path: shown(name))
  }

  /// The directory's path without trailing slashes; bundles are placed beside it.
  ///
  /// If that path would be empty or end in `.` or `..`, the result is the path from the root, without links.
  ///
  /// - Throws: `file.missing` if a path from the root cannot be determined.
  package func place() throws(SignetError) -> String {
    let end = path.utf8.lastIndex { $0 != UInt8(ascii: "/") }
    let trimmed = end.map { String(path[...$0]) } ?? ""
    guard ["", ".", ".."].contains(Self.lastName(of: trimmed)) else { return trimmed }
    guard let resolved = unsafe realpath(path, nil) else {
      throw SignetError(.fileMissing, path, "has no path from the root", cause: SystemFailure.last("realpath"))
    }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// The directory's name in its place; empty for the root.
  ///
  /// - Throws: what ``place()`` throws.
  package func baseName() throws(SignetError) -> String { Self.lastName(of: try place()) }

  private static func lastName(of path: String) -> String {
    String(decoding: path.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }.reversed(), as: UTF8.self)
  }

  /// Opens a directory below this one, name by name; an empty path opens this one. The caller closes the descriptor.
  package func open(below path: [UInt8]) throws(SystemFailure) -> Int32 {
    var current = try Self.descend([UInt8(ascii: ".")], in: descriptor)
    for name in path.split(separator: UInt8(ascii: "/")) {
      let above = current
      defer { close(above) }
      current = try Self.descend(Array(name), in: above)
    }
    return current
  }

  /// Opens a directory by its name in another one. The caller closes the descriptor.
  package static func descend(
    _ name: [UInt8], in folder: Int32, flags: Int32 = O_NOFOLLOW
  ) throws(SystemFailure) -> Int32 {
    try SystemCall.open(name, in: folder, O_RDONLY | O_DIRECTORY | flags)
  }

  /// The names in the directory that are valid UTF-8, sorted by their bytes.
  ///
  /// - Throws: `file.unreadable`, also for more than 10,000 names.
  package func entryNames() throws(SignetError) -> [String] {
    let found: (names: [[UInt8]], isWhole: Bool)
    do throws(SystemFailure) { found = try names(upTo: Self.entryLimit) } catch {
      throw SignetError(.fileUnreadable, path, "cannot be read", cause: error)
    }
    guard found.isWhole else {
      throw SignetError(
        .fileUnreadable, path, "has too many entries", expected: "at most \(Self.entryLimit)")
    }
    return found.names.sorted { $0.lexicographicallyPrecedes($1) }.compactMap {
      String(validating: $0, as: UTF8.self)
    }
  }

  /// The names in the directory, except `.` and `..`: all of them, or `limit` + 1 of them if there are more than
  /// `limit`.
  package func names(upTo limit: Int) throws(SystemFailure) -> (names: [[UInt8]], isWhole: Bool) {
    try Self.names(in: descriptor, upTo: limit)
  }

  /// The names in an open directory, except `.` and `..`: all of them, or `limit` + 1 of them if there are more.
  package static func names(
    in descriptor: Int32, upTo limit: Int
  ) throws(SystemFailure) -> (names: [[UInt8]], isWhole: Bool) {
    // The directory is opened again, because all readers of one descriptor share one position.
    let number = try descend([UInt8(ascii: ".")], in: descriptor)
    guard let stream = unsafe fdopendir(number) else {
      let failure = SystemFailure.last("fdopendir")
      close(number)
      throw failure
    }
    defer { unsafe closedir(stream) }
    var names: [[UInt8]] = []
    while names.count <= limit {
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        guard errno == 0 else { throw .last("readdir") }
        return (names, true)
      }
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { start in
        let text = unsafe UnsafeRawPointer(start)
        return unsafe Array(
          UnsafeRawBufferPointer(start: text, count: strlen(text.assumingMemoryBound(to: CChar.self))))
      }
      if name != [UInt8(ascii: ".")], name != [UInt8(ascii: "."), UInt8(ascii: ".")] { names.append(name) }
    }
    return (names, false)
  }

  /// The error for a failure below: `file.changed` if something was removed or replaced, otherwise `file.unreadable`.
  package func complaint(_ path: [UInt8], _ failure: SystemFailure) -> SignetError {
    guard ![ENOENT, ENOTDIR, ELOOP, ESTALE].contains(failure.number) else {
      return changed(path, "it was removed or replaced", cause: failure)
    }
    return SignetError(.fileUnreadable, shown(path), "cannot be read", cause: failure)
  }

  package func changed(_ path: [UInt8], _ found: String, cause: (any Error)? = nil) -> SignetError {
    SignetError(
      .fileChanged, shown(path), "changed while it was read", expected: "an unchanged directory", found: found,
      cause: cause, hint: "run the command again when nothing writes to it")
  }

  /// The path of an entry below, for messages.
  package func shown(_ path: [UInt8]) -> String {
    if path.isEmpty { return self.path }
    let separator = self.path.utf8.last == UInt8(ascii: "/") ? "" : "/"
    return self.path + separator + String(decoding: path, as: UTF8.self)
  }
}
