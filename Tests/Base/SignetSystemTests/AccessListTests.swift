import SignetFiles

#if os(Linux)
  import CLinux
  import Foundation
  import SignetBase
  import TestSupport
  import Testing

  @testable import SignetSystem

  @Suite("access control lists")
  struct AccessListTests {
    private enum Tag: UInt16 { case owner = 1, user = 2, owningGroup = 4, group = 8, mask = 0x10, other = 0x20 }
    private typealias Entry = (tag: Tag, permissions: UInt16, number: UInt32)
    /// A user and a group that the machine does not have.
    private static let stranger: UInt32 = 424_242

    /// The attribute as the kernel gives it, in ascending order of tags.
    private static func bytes(_ entries: [Entry], version: UInt32 = 2) -> [UInt8] {
      func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
      }
      return little(version)
        + entries.flatMap { little($0.tag.rawValue) + little($0.permissions) + little($0.number) }
    }

    /// A list with one named entry, and the least that the kernel takes.
    private static func list(
      _ named: Entry? = nil, group: UInt16 = 4, mask: UInt16 = 6, owner: UInt16 = 6
    ) -> [UInt8] {
      let none = UInt32.max
      let entries: [Entry?] = [
        (.owner, owner, none), named?.tag == .user ? named : nil, (.owningGroup, group, none),
        named?.tag == .group ? named : nil, (.mask, mask, none), (.other, 4, none),
      ]
      return bytes(entries.compactMap(\.self))
    }

    private static func put(_ list: [UInt8], on path: String) throws {
      guard setxattr(path, "system.posix_acl_access", list, list.count, 0) == 0 else {
        throw SystemFailure.last("setxattr")
      }
    }

    /// Whether the folder for temporary files keeps access control lists.
    private static let isSupported: Bool = {
      guard let folder = try? TemporaryFolder(), let path = try? folder.write("file", []) else { return false }
      return (try? put(list((.user, 4, stranger)), on: path)) != nil
    }()

    @Test("the writers of a list are its entries that permit writing, as far as the mask does")
    func writers() throws {
      let named: [(Entry, AccessList.Subject)] = [
        ((.user, 6, 7), .user(7)), ((.user, 2, 0), .user(0)), ((.group, 7, 9), .group(9)),
      ]
      for (entry, subject) in named {
        #expect(AccessList(Self.list(entry))?.writers == [subject])
        #expect(AccessList(Self.list(entry, group: 6))?.writers.count == 2)
        #expect(AccessList(Self.list(entry, group: 6))?.writers.contains(.owningGroup) == true)
        #expect(AccessList(Self.list(entry, group: 6, mask: 5))?.writers == [])
      }
      #expect(AccessList(Self.list((.user, 5, 7)))?.writers == [])
      #expect(
        AccessList(Self.bytes([(.owner, 6, 0), (.owningGroup, 6, 0), (.other, 4, 0)]))?.writers == [.owningGroup])
      #expect(AccessList(Self.list((.user, 6, 7), group: 5, mask: 6))?.groupBits == 0o040)
    }

    @Test("a list of another version, with an unknown entry or of another length is none")
    func malformed() {
      let whole = Self.list((.user, 6, 7))
      #expect(AccessList(Self.bytes([(.user, 6, 7)], version: 1)) == nil)
      #expect(AccessList(Self.bytes([(.user, 6, 7)], version: 3)) == nil)
      #expect(AccessList([]) == nil)
      for count in 1..<whole.count where (count - 4) % 8 != 0 {
        #expect(AccessList(Array(whole.prefix(count))) == nil)
      }
      var unknown = whole
      unknown[4] = 3
      #expect(AccessList(unknown) == nil)
    }

    @Test(
      "a file that a list lets another user or group write is refused, and not one that only its owner and root may",
      .enabled(if: isSupported, "needs a file system with access control lists"))
    func files() throws {
      let folder = try TemporaryFolder()
      func open(_ list: [UInt8], isSecret: Bool = false) throws {
        let path = folder.file("file")
        _ = unlink(path)
        try folder.write("file", [1], mode: 0o600)
        try Self.put(list, on: path)
        _ = try TrustedPath.open(path, isSecret: isSecret)
      }
      for entry in [(.user, 6, Self.stranger), (.group, 2, Self.stranger), (.user, 2, UInt32.max - 1)] as [Entry] {
        let error = expectError(.fileOthersMayWrite) { try open(Self.list(entry)) }
        #expect(error?.message.contains("access control list") == true)
        #expect(error?.found?.contains("\(entry.number) may write") == true)
        #expect(error?.hint?.contains("chmod g-w \(folder.file("file"))") == true)
      }
      // The entry permits writing, and the mask does not.
      try open(Self.list((.user, 6, Self.stranger), mask: 4))
      try open(Self.list((.user, 4, Self.stranger)))
      try open(Self.list((.user, 6, geteuid())))
      try open(Self.list((.user, 6, 0)))
      // Readers may read what is no secret.
      expectError(.keyOthersMayRead) { try open(Self.list((.user, 4, Self.stranger), mask: 4), isSecret: true) }
    }

    @Test(
      "the hint for a file that a list lets others write makes it one that only its owner may write",
      .enabled(if: isSupported, "needs a file system with access control lists"))
    func hint() throws {
      let folder = try TemporaryFolder()
      let path = try folder.write("file", [1])
      try Self.put(Self.list((.user, 6, Self.stranger)), on: path)
      expectError(.fileOthersMayWrite) { _ = try TrustedPath.open(path, isSecret: false) }
      chmod(path, mode_t(try FileStatus(at: path).mode & ~0o020))
      _ = try TrustedPath.open(path, isSecret: false)
    }

    @Test(
      "a folder whose list lets others write is refused on the way to a file, and as a folder itself",
      .enabled(if: isSupported, "needs a file system with access control lists"))
    func folders() throws {
      let folder = try TemporaryFolder()
      let inner = folder.file("inner")
      mkdir(inner, 0o755)
      let path = try folder.write("inner/file", [1])
      for (entry, isRefused) in [((.user, 7, Self.stranger), true), ((.user, 5, Self.stranger), false)]
        as [(Entry, Bool)]
      {
        try Self.put(Self.list(entry, group: 5, mask: 7, owner: 7), on: inner)
        let calls: [() throws -> Void] = [
          { _ = try TrustedPath.open(path, isSecret: false) },
          { try TrustedPath.checkFolder(of: inner + "/new") },
          { _ = try TrustedPath.openFolder(inner) },
          { try TrustedPath.check(Directory(opening: inner)) },
        ]
        for call in calls {
          guard isRefused else {
            try call()
            continue
          }
          let error = expectError(.fileOthersMayWrite) { try call() }
          #expect(error?.object == inner)
        }
      }
      // In a folder with the sticky bit, the stranger can replace only own files.
      try Self.put(Self.list((.user, 7, Self.stranger), group: 5, mask: 7, owner: 7), on: inner)
      chmod(inner, 0o1775)
      _ = try TrustedPath.open(path, isSecret: false)
    }

    @Test(
      "content that comes through a descriptor of a file is held to the file's list",
      .enabled(if: isSupported, "needs a file system with access control lists"))
    func descriptors() throws {
      let folder = try TemporaryFolder()
      let path = try folder.write("file", [1])
      try Self.put(Self.list((.user, 6, Self.stranger)), on: path)
      let file = try RegularFile(opening: path)
      expectError(.fileOthersMayWrite) { _ = try TrustedContent.read("/dev/fd/\(file.descriptor)", limit: 10) }
    }

    @Test(
      "a file that replaces one with a list gives its group no more than the list gave it",
      .enabled(if: isSupported, "needs a file system with access control lists"))
    func replaced() throws {
      let folder = try TemporaryFolder()
      let source = try RegularFile(opening: folder.write("new", [2]))
      let path = try folder.write("file", [1])
      try Self.put(Self.list((.user, 6, Self.stranger), group: 4, mask: 6), on: path)
      #expect(try FileStatus(at: path).mode == 0o664)
      try OutputFile.write(source, to: path, .replace(unless: [])) {}
      #expect(try FileStatus(at: path).mode == 0o644)
      #expect(try folder.read("file") == [2])
    }
  }
#endif
