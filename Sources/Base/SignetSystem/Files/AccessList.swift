package import SignetBase

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import CLinux
  internal import Musl
#else
  internal import CLinux
  internal import Glibc
#endif

/// The POSIX access control list of a file or folder: what it permits to users and groups that it names (acl(5)).
///
/// With such a list, the bits of the group in a file's mode are the list's mask. They say what the list may permit at
/// most, and nothing about the group. So a list that permits writing shows in the mode as a group that may write.
///
/// Lists of NFSv4 are not read. The server decides about them, and it decides about the mode that it reports, too.
package struct AccessList: Equatable {
  /// Whom an entry is about.
  package enum Subject: Equatable {
    case user(UInt32)
    case group(UInt32)
    /// The file's own group.
    case owningGroup
  }

  /// The users and groups, beside the owner and all others, that may write.
  let writers: [Subject]
  /// The bits of the file's own group, as they are in a mode.
  package let groupBits: UInt32

  private static let attribute = "system.posix_acl_access"
  /// The most that Linux keeps in an attribute (XATTR_SIZE_MAX of `include/uapi/linux/limits.h`).
  private static let sizeLimit = 1 << 16
  /// The form of the attribute (`include/uapi/linux/posix_acl_xattr.h`), which is little-endian.
  private static let version: UInt32 = 2
  private static let headerSize = 4
  private static let entrySize = 8
  private static let write: UInt16 = 2
  /// The tags of entries (`include/uapi/linux/posix_acl.h`).
  private enum Tag: UInt16 {
    case owner = 1
    case user = 2
    case owningGroup = 4
    case group = 8
    case mask = 0x10
    case other = 0x20
  }

  /// Reads the attribute's bytes; nil if their form is unknown.
  init?(_ bytes: [UInt8]) {
    func number(_ offset: Int, _ count: Int) -> UInt32 {
      bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
    guard bytes.count >= Self.headerSize, (bytes.count - Self.headerSize) % Self.entrySize == 0,
      number(0, 4) == Self.version
    else { return nil }
    var subjects: [Subject] = []
    // Without a mask, the entries alone decide.
    var mask: UInt16 = 7
    var owningGroup: UInt16 = 0
    for offset in stride(from: Self.headerSize, to: bytes.count, by: Self.entrySize) {
      guard let tag = Tag(rawValue: UInt16(number(offset, 2))) else { return nil }
      let permissions = UInt16(number(offset + 2, 2))
      if tag == .mask { mask = permissions }
      if tag == .owningGroup { owningGroup = permissions }
      guard permissions & Self.write != 0 else { continue }
      switch tag {
      case .user: subjects.append(.user(number(offset + 4, 4)))
      case .group: subjects.append(.group(number(offset + 4, 4)))
      case .owningGroup: subjects.append(.owningGroup)
      case .owner, .mask, .other: break
      }
    }
    writers = mask & Self.write == 0 ? [] : subjects
    groupBits = UInt32(owningGroup & mask & 7) << 3
  }

  /// Where a list is read from.
  package enum Place {
    case descriptor(Int32)
    /// A path whose last component is no symbolic link, in folders that no other user can change.
    case path(String)
  }

  /// Reads the list of a file; nil if it has none.
  ///
  /// - Throws: `file.unreadable`, `file.others-may-write` for a list whose form is unknown.
  package static func read(_ place: Place, _ path: String) throws(SignetError) -> AccessList? {
    let bytes: [UInt8]?
    do throws(SystemFailure) { bytes = try attribute(place) } catch {
      throw SignetError(.fileUnreadable, path, "has an access control list that cannot be read", cause: error)
    }
    guard let bytes else { return nil }
    guard let list = AccessList(bytes) else {
      throw SignetError(
        .fileOthersMayWrite, path, "has an access control list of an unknown form",
        expected: "a POSIX access control list of version \(version)", found: "\(bytes.count) bytes",
        hint: "check its content, then copy it into a folder on another file system")
    }
    return list
  }

  private static func attribute(_ place: Place) throws(SystemFailure) -> [UInt8]? {
    #if canImport(Darwin)
      // The lists of macOS have another form, and its modes do not show them.
      return nil
    #else
      var bytes = [UInt8](repeating: 0, count: sizeLimit)
      let count =
        switch place {
        case .descriptor(let number): unsafe fgetxattr(number, attribute, &bytes, bytes.count)
        case .path(let path): unsafe lgetxattr(path, attribute, &bytes, bytes.count)
        }
      guard count < 0 else { return Array(bytes.prefix(count)) }
      let failure = SystemFailure.last("getxattr")
      // The file has no list, or its file system has none at all.
      guard failure.number == ENODATA || failure.number == EOPNOTSUPP else { throw failure }
      return nil
    #endif
  }
}

extension AccessList.Subject: CustomStringConvertible {
  package var description: String {
    switch self {
    case .user(let number): "user \(number)"
    case .group(let number): "group \(number)"
    case .owningGroup: "its group"
    }
  }
}
