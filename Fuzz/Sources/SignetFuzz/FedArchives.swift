@testable import SignetArchive
@testable import SignetCrypto
@testable import SignetModules
@testable import SignetNames
@testable import SignetSigning
@testable import SignetSystem
@testable import SignetVerify

/// ZIPs, their ends, their signing blocks and their paths, as the library meets them before anything is verified.
enum FedArchives {
  /// Structure and bytes. What is accepted stays what it is with a signing block put into it and taken out again.
  static func feedZIP(_ bytes: [UInt8]) {
    let source = BytesInMemory(bytes, path: "fuzz.zip")
    guard let archive = try? ZIPArchive(source, limits: ArchiveLimits()) else { return }
    require(archive.unsigned.size == bytes.count - (archive.block?.range.count ?? 0), "bytes were lost")
    guard let entries = try? archive.entries(ArchiveLimits()) else { return }
    let reader = EntryReader(archive.unsigned)
    for entry in entries {
      guard case .file(let size) = entry.content, size <= 1 << 16 else { continue }
      guard let content = try? reader.bytes(entry.data, size: size, path: entry.path) else { continue }
      require(content.count == size, "an entry has another size than it claims")
    }
    guard let unsigned = try? archive.unsigned.bytes(in: 0..<archive.unsigned.size) else { return }
    guard let attached = try? archive.attaching(Array("{}\n".utf8)),
      let signed = try? attached.bytes(in: 0..<attached.size)
    else { return }
    let opened = try? ZIPArchive(BytesInMemory(signed, path: "fuzz.zip"), limits: ArchiveLimits())
    require(opened?.block != nil, "a signing block is not found")
    require((try? opened?.unsigned.bytes(in: 0..<unsigned.count)) == unsigned, "a signing block leaves a trace")
    require((try? opened?.entries(ArchiveLimits())) == entries, "a signing block changes the entries")
  }

  /// A whole verification of a module with whatever stands in its signing block: nobody trusted has signed it.
  static func feedBlock(_ bytes: [UInt8]) {
    guard let archive = try? ZIPArchive(BytesInMemory(Self.module, path: "m.zip"), limits: ArchiveLimits()),
      !bytes.isEmpty, let attached = try? archive.attaching(bytes),
      let signed = try? attached.bytes(in: 0..<attached.size)
    else { return }
    KnownKeys.verify(module: signed)
  }

  /// A path that is accepted has one reading, and leads nowhere else.
  static func feedPath(_ bytes: [UInt8]) {
    let path = String(decoding: bytes, as: UTF8.self)
    if (try? EntryPath.check(path)) != nil {
      let names = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      require(!names.contains { $0.isEmpty || $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }, "unsafe")
      require(!path.utf8.contains { $0 < 0x20 || $0 == UInt8(ascii: "\\") }, "a control character")
      require(names.count <= EntryPath.depthLimit && path.utf8.count <= EntryPath.lengthLimit, "too long")
    }
    guard (try? EntryPath.check(target: path, ofLinkAt: "a/b/link")) != nil else { return }
    var level = 2
    for name in path.utf8.split(separator: UInt8(ascii: "/")) where !name.elementsEqual(".".utf8) {
      level += name.elementsEqual("..".utf8) ? -1 : 1
      require(level >= 0, "a link leads out")
    }
  }

  /// The smallest module there is, stored.
  private static let module: [UInt8] = {
    let content = Array(#"{"identifier":"a.b","version":"1.0.0","sequence":1}"#.utf8)
    let name = Array("module.json".utf8)
    func little(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    let crc = Checksum.crc32(content)
    let common =
      little(0, 2) + little(0, 2) + little(0, 2) + little(0x21, 2) + little(Int(crc), 4) + little(content.count, 4)
      + little(content.count, 4) + little(name.count, 2) + little(0, 2)
    let local = little(0x0403_4b50, 4) + little(20, 2) + common + name + content
    let central =
      little(0x0201_4b50, 4) + little(20, 2) + little(20, 2) + common + [UInt8](repeating: 0, count: 14) + name
    let end =
      little(0x0605_4b50, 4) + little(0, 4) + little(1, 2) + little(1, 2) + little(central.count, 4)
      + little(local.count, 4) + little(0, 2)
    return local + central + end
  }()

  private enum Checksum {
    static func crc32(_ bytes: [UInt8]) -> UInt32 {
      var value = ~UInt32(0)
      for byte in bytes {
        value ^= UInt32(byte)
        for _ in 0..<8 { value = value & 1 == 1 ? (value >> 1) ^ 0xedb8_8320 : value >> 1 }
      }
      return ~value
    }
  }
}
