package import SignetBase

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Opens files that decide about trust: only this user and root may be able to write or replace them.
///
/// Every folder on the path is examined from the root on, through symbolic links. Once a folder is known to be safe
/// from other users, its contents cannot be exchanged between the check and their use.
package enum TrustedPath {
  /// The number of symbolic links that Linux follows (path_resolution(7)).
  private static let linkLimit = 40

  /// Opens a file for reading.
  ///
  /// - Parameter isSecret: whether others must not be able to read it either.
  /// - Throws: `file.others-may-write`, `key.others-may-read`, and what opening a ``RegularFile`` throws.
  package static func open(_ path: String, isSecret: Bool) throws(SignetError) -> RegularFile {
    let resolved = try resolve(path)
    let file: RegularFile
    do throws(SignetError) {
      file = try RegularFile(openingNoFollow: resolved)
    } catch {
      throw error.about(path)
    }
    try check(file, path, isSecret: isSecret)
    return file
  }

  /// Checks that no other user may write a file, nor read it if it is a secret.
  ///
  /// - Throws: `file.others-may-write`, `key.others-may-read`.
  package static func check(_ file: RegularFile, _ path: String, isSecret: Bool) throws(SignetError) {
    try check(file.status, of: file.descriptor, path, isSecret: isSecret)
  }

  /// Checks an open descriptor of a file in the same way.
  package static func check(
    _ status: FileStatus, of descriptor: Int32, _ path: String, isSecret: Bool
  ) throws(SignetError) {
    try check(status, .descriptor(descriptor), path, isFolder: false)
    // With an access control list, the group's bits say what the list permits at most.
    guard !isSecret || status.mode & 0o077 == 0 else {
      throw SignetError(
        .keyOthersMayRead, path, "can be read or written by other users", expected: "mode 0600",
        found: octal(status.mode), hint: "chmod 600 \(path.shellWord)")
    }
  }

  /// Checks that no other user could replace a file that will be written there.
  ///
  /// - Throws: `file.others-may-write`, `file.missing`.
  package static func checkFolder(of path: String) throws(SignetError) {
    let end = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    _ = try resolve(folder)
  }

  /// Opens a folder that no other user may change or replace.
  ///
  /// - Throws: `file.others-may-write`, and what opening a ``Directory`` throws.
  package static func openFolder(_ path: String) throws(SignetError) -> Directory {
    let folder: Directory
    do throws(SignetError) {
      folder = try Directory(opening: try resolve(path))
    } catch {
      throw error.about(path)
    }
    try check(folder.status, .descriptor(folder.descriptor), path, isFolder: true)
    return folder
  }

  /// Checks that no other user may write a file, or add or replace anything in a folder, with the sticky bit or without.
  ///
  /// - Throws: `file.others-may-write`.
  package static func check(_ file: RegularFile) throws(SignetError) {
    try check(file.status, .descriptor(file.descriptor), file.path, isFolder: false)
  }

  /// Checks a folder in the same way.
  package static func check(_ folder: Directory) throws(SignetError) {
    try check(folder.status, .descriptor(folder.descriptor), folder.path, isFolder: false)
  }

  /// The path without symbolic links, after every folder on it was examined.
  private static func resolve(_ path: String) throws(SignetError) -> String {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw SignetError(.fileMissing, path, "is not the path of a file")
    }
    var pending = components(path.utf8.first == UInt8(ascii: "/") ? path : try workingFolder(path) + "/" + path)
    var done: [String] = []
    var links = 0
    try check(FileStatus(ofLink: "/"), .path("/"), "/", isFolder: true)
    while !pending.isEmpty {
      let name = pending.removeFirst()
      if name == "." { continue }
      if name == ".." {
        _ = done.popLast()
        continue
      }
      let current = "/" + (done + [name]).joined(separator: "/")
      let status: FileStatus
      do throws(SignetError) {
        status = try FileStatus(ofLink: current)
      } catch {
        throw SignetError(error.code, path, "cannot be found", cause: error.cause, hint: "check the path")
      }
      if status.kind == .symbolicLink {
        // In a folder like /tmp any user may have put the link there.
        try checkOwner(status, current)
        links += 1
        guard links <= linkLimit, let target = try target(of: current, path) else {
          throw SignetError(.fileMissing, path, "leads through too many symbolic links")
        }
        if target.utf8.first == UInt8(ascii: "/") { done = [] }
        pending = components(target) + pending
        continue
      }
      if status.kind == .directory { try check(status, .path(current), current, isFolder: true) }
      done.append(name)
    }
    return "/" + done.joined(separator: "/")
  }

  /// Checks that something belongs to this user or to root.
  ///
  /// - Throws: `file.others-may-write`.
  package static func checkOwner(_ status: FileStatus, _ path: String) throws(SignetError) {
    guard status.owner == 0 || status.owner == geteuid() else {
      throw SignetError(
        .fileOthersMayWrite, path, "belongs to another user", expected: "user \(geteuid()) or root",
        found: "user \(status.owner)",
        hint: "copy it into a folder that belongs to you and that only you can write")
    }
  }

  /// Checks that no other user may write a file, or replace what a folder holds.
  ///
  /// A group that has no other members does not count as another user. That a group may write can also mean that an
  /// access control list lets others write.
  ///
  /// - Throws: `file.others-may-write`, `file.unreadable`.
  package static func check(
    _ status: FileStatus, _ place: AccessList.Place, _ path: String, isFolder: Bool
  ) throws(SignetError) {
    try checkOwner(status, path)
    // In a folder with the sticky bit (/tmp) users can replace only their own files.
    if isFolder, status.mode & 0o1000 != 0 { return }
    guard status.mode & 0o022 != 0 else { return }
    let list = status.mode & 0o002 == 0 ? try AccessList.read(place, path) : nil
    let others = (list?.writers ?? [.owningGroup]).filter { isOther($0, status) }
    guard status.mode & 0o002 != 0 || !others.isEmpty else { return }
    guard list != nil, let other = others.first else {
      throw SignetError(
        .fileOthersMayWrite, path, "can be written by other users",
        expected: "no write permission for group and others",
        found: "mode \(octal(status.mode))",
        hint: "check its content, then remove write permission for others; for a folder: chmod go-w DIR")
    }
    throw SignetError(
      .fileOthersMayWrite, path, "can be written by other users, through its access control list",
      expected: "no write permission for other users and groups",
      found: "\(other) may write\(others.count > 1 ? ", and \(others.count - 1) more" : "")",
      hint: "check its content, then take that permission away: chmod g-w \(path.shellWord)")
  }

  /// Whether an access control list's subject is somebody else than this user and root.
  private static func isOther(_ subject: AccessList.Subject, _ status: FileStatus) -> Bool {
    switch subject {
    case .user(let number): number != 0 && number != geteuid()
    case .group(let number): !GroupAccounts.isPrivate(number)
    case .owningGroup: !GroupAccounts.isPrivate(status.group)
    }
  }

  private static func components(_ path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func workingFolder(_ path: String) throws(SignetError) -> String {
    guard let folder = unsafe getcwd(nil, 0) else {
      throw SignetError(.fileMissing, path, "the working folder is gone", cause: SystemFailure.last("getcwd"))
    }
    defer { unsafe free(folder) }
    guard let text = unsafe String(validatingCString: folder) else { throw notText(path) }
    return text
  }

  private static func target(of link: String, _ path: String) throws(SignetError) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(link, &buffer, buffer.count)
    guard count > 0, count < buffer.count else { return nil }
    guard let text = String(validating: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) else {
      throw notText(path)
    }
    return text
  }

  /// A name that is not UTF-8 is refused, because after a repair it would name another file.
  private static func notText(_ path: String) -> SignetError {
    SignetError(
      .fileUnreadable, path, "leads through a name that is not UTF-8", hint: "give a path that is UTF-8 throughout")
  }

  private static func octal(_ mode: UInt32) -> String { "0" + String(mode, radix: 8) }
}
