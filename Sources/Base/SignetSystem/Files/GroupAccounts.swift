internal import SignetBase

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

private typealias GroupEntry = group

/// A user and a group, as the system's accounts describe them.
///
/// Debian, Ubuntu and Fedora give each user a group without other members. With umask 002, that group may write the
/// files that the user creates.
struct GroupAccounts {
  struct User: Equatable {
    let name: String
    let number: UInt32
    /// The number of the user's own group.
    let group: UInt32
  }

  struct Group: Equatable {
    let name: String
    let number: UInt32
    /// The users that the group lists.
    let members: [String]
  }

  package let user: User
  package let group: Group
  /// The users whose own group this is, as far as the system lists its users.
  package let owners: [UInt32]

  /// Whether the group has no members except the user and root.
  ///
  /// The system does not list the accounts of a network. So the group must also follow the custom: it is the user's
  /// own group, and has the user's name.
  package var isPrivate: Bool {
    user.group == group.number && group.name.isExactly(user.name)
      && group.members.allSatisfy { $0.isExactly(user.name) || $0.isExactly("root") }
      && owners.allSatisfy { $0 == user.number || $0 == 0 }
  }

  /// Whether a group has no members except this process's user and root.
  ///
  /// The result is false if the members of the group cannot be determined.
  package static func isPrivate(_ group: UInt32) -> Bool {
    guard let user = user(geteuid()), user.group == group, let found = self.group(group),
      let owners = owners(of: group)
    else { return false }
    return GroupAccounts(user: user, group: found, owners: owners).isPrivate
  }

  package init(user: User, group: Group, owners: [UInt32]) {
    self.user = user
    self.group = group
    self.owners = owners
  }

  /// The maximum size of an entry in bytes.
  ///
  /// Only a group of a few thousand members has more, and such a group does not belong to one user.
  private static let entryLimit = 1 << 16

  private static func user(_ number: UInt32) -> User? {
    var entry = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>?
    var text = [CChar](repeating: 0, count: entryLimit)
    return unsafe text.withUnsafeMutableBufferPointer { text -> User? in
      guard let start = text.baseAddress,
        unsafe getpwuid_r(number, &entry, start, text.count, &found) == 0, unsafe found != nil,
        let name = unsafe String(validatingCString: entry.pw_name)
      else { return nil }
      return User(name: name, number: number, group: unsafe entry.pw_gid)
    }
  }

  private static func group(_ number: UInt32) -> Group? {
    var entry = unsafe GroupEntry()
    var found: UnsafeMutablePointer<GroupEntry>?
    var text = [CChar](repeating: 0, count: entryLimit)
    return unsafe text.withUnsafeMutableBufferPointer { text -> Group? in
      guard let start = text.baseAddress,
        unsafe getgrgid_r(number, &entry, start, text.count, &found) == 0, unsafe found != nil,
        let name = unsafe String(validatingCString: entry.gr_name)
      else { return nil }
      var members: [String] = []
      var next = unsafe entry.gr_mem
      while let member = unsafe next?.pointee {
        guard let name = unsafe String(validatingCString: member) else { return nil }
        members.append(name)
        unsafe next = unsafe next?.successor()
      }
      return Group(name: name, number: number, members: members)
    }
  }

  private static let users = "/etc/passwd"
  private static let usersLimit = 4 << 20

  /// In `/etc/passwd` the third and the fourth field are the user's number and the group's (passwd(5)).
  private static func owners(of group: UInt32) -> [UInt32]? {
    guard let text = try? RegularFile(opening: users).bytes(limit: usersLimit) else { return nil }
    return owners(of: group, in: text)
  }

  /// The numbers of the users whose own group is this one.
  package static func owners(of group: UInt32, in text: [UInt8]) -> [UInt32] {
    text.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let fields = line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      guard fields.count > 3, UInt32(String(decoding: fields[3], as: UTF8.self)) == group else { return nil }
      return UInt32(String(decoding: fields[2], as: UTF8.self))
    }
  }
}
