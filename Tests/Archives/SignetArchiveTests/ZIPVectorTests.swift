import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import SignetArchive

/// Every case of `Tests/Vectors/archives`: one archive, one fault, its code. A new case needs no code.
@Suite struct ZIPVectorTests {
  static func vectors() throws -> [Vector] { try Vector.all(in: "archives") }

  /// What becomes of an archive whose structure and bytes are all read: `accepted`, or the code of the refusal.
  static func verdict(_ bytes: [UInt8]) -> String {
    let limits = ArchiveLimits()
    do {
      let archive = try ZIPArchive(BytesInMemory(bytes, path: "module.zip"), limits: limits)
      let entries = try archive.entries(limits)
      let reader = EntryReader(archive.unsigned)
      for entry in entries {
        guard case .file(let size) = entry.content else { continue }
        var count = 0
        try reader.read(entry.data, size: size, path: entry.path) { count += $0.count }
        #expect(count == size)
      }
      return "accepted"
    } catch {
      return error.code.rawValue
    }
  }

  @Test("the vector has the verdict it names", arguments: try vectors())
  func vector(_ vector: Vector) throws {
    #expect([Self.verdict(try vector.bytes("module.zip"))] == vector.expected, "\(vector.reason)")
  }

  @Test(
    "every archive that is accepted takes a signing block, and gives it back to the byte",
    arguments: try vectors().filter { $0.name.hasPrefix("accepted-") })
  func block(_ vector: Vector) throws {
    let archive = try ZIPArchive(
      BytesInMemory(vector.bytes("module.zip"), path: "module.zip"), limits: ArchiveLimits())
    let entries = try archive.entries(ArchiveLimits())
    let unsigned = try archive.unsigned.bytes(in: 0..<archive.unsigned.size)
    let attached = try archive.attaching(Array("{}\n".utf8))
    let signed = BytesInMemory(try attached.bytes(in: 0..<attached.size), path: "signed")
    let opened = try ZIPArchive(signed, limits: ArchiveLimits())
    #expect(opened.block?.value.count == 3)
    #expect(try opened.entries(ArchiveLimits()) == entries)
    #expect(try opened.unsigned.bytes(in: 0..<opened.unsigned.size) == unsigned)
    // A ZIP64 archive has three numbers that moved.
    let text = String(decoding: unsigned, as: UTF8.self)
    if vector.name.contains("zip64-end"), text.contains("PK\u{6}\u{6}") {
      #expect(try signed.bytes(in: signed.size - 98..<signed.size) != unsigned.suffix(98))
    }
  }

  @Test("there are vectors")
  func some() throws { #expect(try Self.vectors().count > 400) }

  @Test("every code of a ZIP has a vector")
  func codes() throws {
    let known = try Set(Self.vectors().flatMap(\.expected))
    let sources = try ["ErrorCodes"].map { name in
      try Repository.text("Sources/Archives/SignetArchive/\(name).swift")
    }
    let codes = sources.joined().matches(of: /Self\("((?:archive|path)\.[a-z0-9-]+)", \.\w+\)/)
      .map { String($0.output.1) }
    // Those of tar; hard links, which a ZIP cannot have; and what takes an archive of gigabytes or is another format.
    let others: Set = ["archive.tar-header", "archive.filter", "archive.hard-link", "archive.size", "archive.format"]
    #expect(Set(codes).subtracting(known).subtracting(others) == [])
  }
}
