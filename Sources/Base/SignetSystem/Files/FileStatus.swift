package import SignetBase

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The status of a file: the fields of `struct stat` that matter here.
package struct FileStatus: Hashable, Sendable {
  /// The kind of a directory entry.
  package enum Kind: Sendable { case regular, directory, symbolicLink, other }
  /// Seconds and nanoseconds since 1970.
  package struct Time: Hashable, Sendable {
    package let seconds: Int
    package let nanoseconds: Int
  }
  /// The identity of a file, whatever its name.
  package struct Identity: Hashable, Sendable {
    let device: UInt64
    let number: UInt64
  }

  package let kind: Kind
  package let size: Int
  package let owner: UInt32
  package let group: UInt32
  /// The permission bits, and set-user-ID, set-group-ID and the sticky bit.
  package let mode: UInt32
  package let identity: Identity
  package let modified: Time
  package let changed: Time

  /// Examines an open descriptor.
  package init(of descriptor: Int32) throws(SystemFailure) {
    var raw = stat()
    guard unsafe fstat(descriptor, &raw) == 0 else { throw .last("fstat") }
    self.init(raw)
  }

  /// Examines the file at a path, through symbolic links.
  package init(at path: String) throws(SystemFailure) {
    var raw = stat()
    guard unsafe stat(path, &raw) == 0 else { throw .last("stat") }
    self.init(raw)
  }

  /// Examines an open descriptor.
  ///
  /// - Throws: `file.unreadable`.
  package init(of descriptor: Int32, path: String) throws(SignetError) {
    do throws(SystemFailure) {
      try self.init(of: descriptor)
    } catch {
      throw SignetError(.fileUnreadable, path, "cannot be examined", cause: error)
    }
  }

  /// Examines a path without following a symbolic link at its end.
  package init(ofLink path: String) throws(SignetError) {
    var raw = stat()
    guard unsafe lstat(path, &raw) == 0 else {
      let failure = SystemFailure.last("lstat")
      let isMissing = failure.number == ENOENT || failure.number == ENOTDIR
      throw SignetError(isMissing ? .fileMissing : .fileUnreadable, path, "cannot be examined", cause: failure)
    }
    self.init(raw)
  }

  /// Examines a name in an open directory without following a symbolic link.
  package init(of name: [UInt8], in folder: Int32) throws(SystemFailure) {
    var raw = stat()
    let name = name.map { CChar(bitPattern: $0) } + [0]
    guard unsafe fstatat(folder, name, &raw, AT_SYMLINK_NOFOLLOW) == 0 else { throw .last("fstatat") }
    self.init(raw)
  }

  /// The identities of the files at these paths, through symbolic links; paths that lead nowhere are left out.
  package static func identities(of paths: [String]) -> [Identity] {
    paths.compactMap { path in
      var raw = stat()
      return unsafe stat(path, &raw) == 0 ? FileStatus(raw).identity : nil
    }
  }

  private init(_ raw: stat) {
    switch raw.st_mode & S_IFMT {
    case S_IFREG: kind = .regular
    case S_IFDIR: kind = .directory
    case S_IFLNK: kind = .symbolicLink
    default: kind = .other
    }
    size = Int(raw.st_size)
    owner = raw.st_uid
    group = raw.st_gid
    mode = UInt32(raw.st_mode) & 0o7777
    identity = Identity(device: UInt64(truncatingIfNeeded: raw.st_dev), number: UInt64(raw.st_ino))
    #if canImport(Darwin)
      let (modified, changed) = (raw.st_mtimespec, raw.st_ctimespec)
    #else
      let (modified, changed) = (raw.st_mtim, raw.st_ctim)
    #endif
    self.modified = Time(seconds: Int(modified.tv_sec), nanoseconds: Int(modified.tv_nsec))
    self.changed = Time(seconds: Int(changed.tv_sec), nanoseconds: Int(changed.tv_nsec))
  }
}
