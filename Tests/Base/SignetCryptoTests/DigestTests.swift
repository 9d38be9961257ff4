import Foundation
import SignetSystem
import TestSupport
import Testing

@testable import SignetCrypto

@Suite struct DigestTests {
  @Test("the digests of FIPS 180-4's example, in pieces and whole")
  func examples() throws {
    let expected: [DigestAlgorithm: String] = [
      .sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      .sha384: "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
        + "8086072ba1e7cc2358baeca134c825a7",
      .sha512: "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
    ]
    for algorithm in DigestAlgorithm.allCases {
      var pieces = try IncrementalDigest(algorithm)
      for byte in Array("abc".utf8) { try pieces.update([byte]) }
      let digest = try pieces.finish()
      #expect(digest.hex == expected[algorithm])
      #expect(try Digest.of(Array("abc".utf8), algorithm) == digest)
      #expect(digest.bytes.count == algorithm.byteCount)
    }
  }

  @Test("a digest is read only in lower-case hexadecimal of its exact length")
  func reading() throws {
    let hex = try Digest.of([], .sha256).hex
    #expect(Digest(.sha256, hex: hex)?.hex == hex)
    for wrong in ["", String(hex.dropLast()), String(hex.dropLast(2)), hex + "00", hex.uppercased(), " " + hex] {
      #expect(Digest(.sha256, hex: wrong) == nil)
    }
    #expect(Digest(.sha512, hex: hex) == nil)
  }

  @Test("a file that cannot be read to its end is an error of its own")
  func unreadable() throws {
    // Nothing is mapped at the beginning of a process's memory: reading it gives EIO.
    try #require(FileManager.default.fileExists(atPath: "/proc/self/mem"))
    let file = try RegularFile(opening: "/proc/self/mem")
    expectError(.fileReadFailed) { _ = try file.bytes(in: 0..<1) }
  }

  @Test("a file that shrinks, grows or is written to while it is read is refused", arguments: FileChange.allCases)
  func changingFile(change: FileChange) throws {
    let folder = try TemporaryFolder()
    let digests: [(RegularFile) throws -> Void] = [
      { _ = try $0.sha256() }, { _ = try $0.fsverity() }, { _ = try $0.digests() },
    ]
    for digest in digests {
      for size in [10, 3 << 20] {
        let path = try folder.write("data", patternBytes(size))
        let file = try RegularFile(opening: path)
        try change.apply(folder, "data", size)
        expectError(.fileChanged) { try digest(file) }
      }
    }
  }

  enum FileChange: CaseIterable {
    case shrink, grow, write
    func apply(_ folder: TemporaryFolder, _ name: String, _ size: Int) throws {
      let bytes = patternBytes(size)
      // A file's times have the granularity of the kernel's clock tick; let one pass.
      if self == .write { wait() }
      switch self {
      case .shrink: try overwrite(folder.file(name), Array(bytes.dropLast()))
      case .grow: try overwrite(folder.file(name), bytes + [0])
      case .write: try overwrite(folder.file(name), bytes)
      }
    }
  }
}
