internal import SignetBase
internal import SignetFiles
internal import SignetSystem

/// The kind of file system that a store is on, and why it may be unreliable.
enum FileSystemKind {
  /// Magic numbers of `statfs(2)` and of the kernel's `include/uapi/linux/magic.h`, and the problem with each.
  ///
  /// A store needs three things of its file system: locks that all of its users see, renames that happen once and
  /// whole, and a sync that reports its failures.
  private static let unreliable: [UInt64: (name: String, reason: String)] = [
    0x6969: ("NFS", "a rename that is sent twice may fail although it has happened, and others see old names"),
    0x517b: ("SMB", "locks and renames are another system's, and names may ignore case"),
    0xff53_4d42: ("CIFS", "locks and renames are another system's, and names may ignore case"),
    0xfe53_4d42: ("SMB2", "locks and renames are another system's, and names may ignore case"),
    0x0102_1997: ("9P", "what locks and syncs do is up to a server, which need not do either"),
    0x6573_5546: ("FUSE", "what renames and syncs do is up to a program, and locks may hold on this machine only"),
    0x5346_414f: ("AFS", "what is written arrives when a file is closed, and locks are only a hint"),
    0x6b41_4653: ("AFS", "what is written arrives when a file is closed, and locks are only a hint"),
    0x7375_7245: ("Coda", "what is written on two machines is brought together later"),
    0x564c: ("NCP", "locks and renames are another system's"),
    0x00c3_6400: ("Ceph", "others may change it, and whether they see locks is up to how they reach it"),
    0x0bd0_0bd0: ("Lustre", "locks hold on this machine only unless it is told otherwise"),
  ]

  /// Why a store may not be on this file system; nil if it may.
  static func objection(toMagic magic: UInt64) -> String? {
    // The field is signed on some systems: only 32 bits of it have a meaning.
    unreliable[magic & 0xffff_ffff].map { "\($0.name): \($0.reason)" }
  }

  /// Checks that a store may be in a directory.
  ///
  /// - Throws: `store.file-system`, `file.unreadable`.
  static func check(_ directory: Directory) throws(SignetError) {
    let system: FileSystem
    do throws(SystemFailure) { system = try FileSystem(of: directory) } catch {
      throw SignetError(
        .fileUnreadable, directory.path, "its file system cannot be examined", cause: error)
    }
    let objection =
      switch system {
      case .local(let magic): Self.objection(toMagic: magic)
      case .remote: "a network file system"
      }
    guard let objection else { return }
    throw SignetError(
      .storeFileSystem, directory.path, "cannot hold a store", expected: "a local file system",
      found: objection, hint: "choose a directory on a local disk")
  }
}
