import SignetBase
import TestSupport
import Testing

@testable import ReleaseGate

/// The functions of lists that OpenSSL does not have, against others' results.
@Suite struct OtherFunctionsTests {
  @Test(
    "BLAKE3's own vectors",
    arguments: [
      (0, "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"),
      (1, "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213"),
      (1024, "42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7"),
      (1025, "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444"),
      (2048, "e776b6028c7cd22a4d0ba182a8bf62205d2ef576467e838ed6f2529b85fba24a"),
      (3072, "b98cb0ff3623be03326b373de6b9095218513e64f1ee2edd2525c7ad1e5cffd2"),
      (31744, "62b6960e1a44bcc1eb1a611a8d6235b6b4b78f32e7abc4fb4c6cdcce94895c47"),
    ])
  func blake3(count: Int, digest: String) {
    let bytes = (0..<count).map { UInt8($0 % 251) }
    for size in [1, 63, 64, 1000, 1024, 5000] {
      var hash = BLAKE3()
      for start in stride(from: 0, to: count, by: size) {
        hash.update(Array(bytes[start..<min(start + size, count)]))
      }
      #expect(Hexadecimal.encode(hash.finish()) == digest, "\(size)")
    }
  }

  @Test(
    "BLAKE3's own vectors, with longer digests",
    arguments: [
      (
        0,
        "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262e00f03e7b69af26b7faaf09fcd333050"
          + "338ddfe085b8cc869ca98b206c08243a26f5487789e8f660afe6c99ef9e0c52b92e7393024a80459cf91f476f9ffdbda"
      ),
      (
        3,
        "e1be4d7a8ab5560aa4199eea339849ba8e293d55ca0a81006726d184519e647f5b49b82f805a538c68915c1ae8035c90"
          + "0fd1d4b13902920fd05e1450822f36de9454b7e9996de4900c8e723512883f93f4345f8a58bfe64ee38d3ad71ab02776"
      ),
    ])
  func longBLAKE3(count: Int, digest: String) {
    var hash = BLAKE3()
    hash.update((0..<count).map { UInt8($0 % 251) })
    for size in [16, 48, 64, 65, 96] {
      #expect(Hexadecimal.encode(hash.finish(size: size)) == digest.prefix(2 * size), "\(size)")
    }
  }

  @Test("BLAKE2b is b2sum's", arguments: [0, 1, 127, 128, 129, 256, 1000])
  func blake2b(count: Int) throws {
    let bytes = patternBytes(count, seed: 3)
    let folder = try TemporaryFolder()
    try folder.write("i", bytes)
    let program = try #require(Program.find("b2sum"), "coreutils has it")
    for size in [32, 48, 64] {
      let run = try Program.run(program, ["-l", "\(8 * size)", "i"], in: folder.path)
      for piece in [1, 128, 300] {
        var hash = BLAKE2b(size: size)
        for start in stride(from: 0, to: count, by: piece) {
          hash.update(Array(bytes[start..<min(start + piece, count)]))
        }
        #expect(run.output == "\(Hexadecimal.encode(hash.finish()))  i\n", "\(size) \(piece)")
      }
    }
  }
}
