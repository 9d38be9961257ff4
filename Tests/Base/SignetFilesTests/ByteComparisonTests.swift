import SignetFiles
import SignetSystem
import Testing

@Suite struct ByteComparisonTests {
  private func firstDifference(_ first: [UInt8], _ second: [UInt8]) throws -> Int? {
    try ByteComparison.firstDifference(BytesInMemory(first, path: "a"), BytesInMemory(second, path: "b"))
  }

  @Test("equal bytes have no difference, and one that is the beginning of the other differs at its end")
  func equal() throws {
    let bytes = [UInt8](repeating: 7, count: 700_000)
    #expect(try firstDifference([], []) == nil)
    #expect(try firstDifference(bytes, bytes) == nil)
    #expect(try firstDifference([], [1]) == 0)
    #expect(try firstDifference(bytes, bytes + [7]) == 700_000)
    #expect(try firstDifference(bytes + [7], bytes) == 700_000)
  }

  @Test(
    "the first different byte is found, in whatever piece it is",
    arguments: [0, 1, 262_143, 262_144, 262_145, 524_287, 524_288, 699_999])
  func different(at offset: Int) throws {
    let bytes = [UInt8](repeating: 7, count: 700_000)
    var changed = bytes
    changed[offset] = 8
    changed[699_999] = 9
    #expect(try firstDifference(bytes, changed) == offset)
    #expect(try firstDifference(changed, bytes + [7]) == offset)
  }
}
