import Foundation
import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import SignetCrypto

@Suite struct FSVerityTests {
  static let sizes = [0, 1, 4095, 4096, 4097, 128 * 4096, 129 * 4096, 128 * 128 * 4096 + 1]

  @Test("the tree digest is the one of the fsverity program, for the sizes where trees change their shape")
  func boundaries() throws {
    for size in Self.sizes { try compare(patternBytes(size, seed: UInt64(size) + 1)) }
  }

  @Test("the tree digest is the one of the fsverity program, for random sizes", .seeded)
  func random() throws {
    var random = SeededRandom()
    for _ in 0..<12 {
      let size = Int.random(in: 0...6_000_000, using: &random)
      try compare(patternBytes(size, seed: UInt64(size)))
    }
  }

  @Test("an empty file has the digest of a descriptor whose root is zero")
  func empty() throws {
    let digest = try FSVerityDigest(of: [])
    #expect("\(digest)" == "sha256:3d248ca542a24fc62d1c43b916eae5016878e2533c88238480b26128a1f1af95")
  }

  @Test("the printed form is read back, and nothing else is")
  func text() throws {
    let digest = try FSVerityDigest(of: [1])
    #expect(FSVerityDigest("\(digest)") == digest)
    let hex = Hexadecimal.encode(digest.bytes)
    for wrong in [
      "sha256:\u{301}" + hex,
      hex, "sha512:" + hex, "sha256:" + hex.uppercased(), "sha256:" + hex.dropLast(2), "sha256:" + hex + "00",
    ] {
      #expect(FSVerityDigest(wrong) == nil)
    }
  }

  private func compare(_ bytes: [UInt8]) throws {
    let program = try #require(Program.find("fsverity"), "make test installs fsverity")
    let folder = try TemporaryFolder()
    let path = try folder.write("data", bytes)
    let expected = try Program.run(program, ["digest", "--compact", path]).output.trimmingCharacters(in: .newlines)
    let file = try RegularFile(opening: path)
    let both = try file.digests()
    #expect("\(both.fsverity)" == "sha256:" + expected, "both, \(bytes.count) bytes")
    #expect(try both.sha256 == Digest.of(bytes, .sha256))
    #expect(try file.fsverity() == both.fsverity)
    #expect(try file.sha256() == both.sha256)
    #expect(try FileDigests(of: bytes) == both)
  }
}
