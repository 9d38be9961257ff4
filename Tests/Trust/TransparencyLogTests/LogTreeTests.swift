import SignetBase
import TestSupport
import Testing

@testable import TransparencyLog

/// Proofs in the trees of logs, held against the recursive definitions of RFC 6962, section 2.1.
@Suite struct LogTreeTests {
  private static func entries(_ count: Int) -> [[UInt8]] { (0..<count).map { Array("entry \($0)".utf8) } }

  /// MTH (section 2.1).
  private static func root(_ entries: ArraySlice<[UInt8]>) throws -> [UInt8] {
    guard entries.count > 1 else { return try LogTree.leaf(entries.first ?? []) }
    let half = split(entries.count)
    return try LogTree.node(root(entries.prefix(half)), root(entries.dropFirst(half)))
  }

  /// The greatest power of two below a number.
  private static func split(_ count: Int) -> Int {
    var half = 1
    while half * 2 < count { half *= 2 }
    return half
  }

  /// PATH (section 2.1.1).
  private static func path(_ index: Int, _ entries: ArraySlice<[UInt8]>) throws -> [[UInt8]] {
    guard entries.count > 1 else { return [] }
    let half = split(entries.count)
    return index < half
      ? try path(index, entries.prefix(half)) + [root(entries.dropFirst(half))]
      : try path(index - half, entries.dropFirst(half)) + [root(entries.prefix(half))]
  }

  /// SUBPROOF (section 2.1.2).
  private static func proof(_ first: Int, _ entries: ArraySlice<[UInt8]>, isWhole: Bool = true) throws -> [[UInt8]] {
    guard first < entries.count else { return isWhole ? [] : [try root(entries)] }
    let half = split(entries.count)
    return first <= half
      ? try proof(first, entries.prefix(half), isWhole: isWhole) + [root(entries.dropFirst(half))]
      : try proof(first - half, entries.dropFirst(half), isWhole: false) + [root(entries.prefix(half))]
  }

  private static let sizes = Extent.sample(of: Array(1...70), oneOf: 3)

  @Test("each entry of a tree of each size leads to its root, and to no other one", arguments: sizes)
  func inclusion(size: Int) throws {
    let entries = Self.entries(size)
    let root = try Self.root(entries[...])
    for index in 0..<size {
      let hashes = try Self.path(index, entries[...])
      func found(_ index: Int, _ size: Int, _ hashes: [[UInt8]], _ entry: Int) throws -> [UInt8] {
        let proof = try InclusionProof(index: UInt64(index), size: UInt64(size), hashes: hashes)
        return try proof.root(of: LogTree.leaf(entries[entry]))
      }
      #expect(try found(index, size, hashes, index) == root)
      let other = (index + 1) % size
      if size > 1 {
        #expect(try found(index, size, hashes, other) != root)
        #expect((try? found(other, size, hashes, index)) != root)
        expectError(.logProof) { _ = try found(index, size, hashes.dropLast(), index) }
      }
      expectError(.logProof) { _ = try found(index, size, hashes + [root], index) }
      for place in hashes.indices {
        var changed = hashes
        changed[place][7] ^= 1
        #expect(try found(index, size, changed, index) != root)
      }
    }
  }

  @Test("each tree is continued by each later one, and by no other one", arguments: sizes)
  func consistency(size: Int) throws {
    let entries = Self.entries(size)
    let root = try Self.root(entries[...])
    for first in 1...size {
      let older = try Self.root(entries.prefix(first))
      let hashes = try Self.proof(first, entries[...])
      func check(_ hashes: [[UInt8]], _ older: [UInt8], _ newer: [UInt8], _ first: Int = first) throws {
        try ConsistencyProof(hashes).check(from: (UInt64(first), older), to: (UInt64(size), newer))
      }
      try check(hashes, older, root)
      var stranger = older
      stranger[0] ^= 1
      expectError(.logProof) { try check(hashes, stranger, root) }
      var later = root
      later[31] ^= 1
      expectError(.logProof) { try check(hashes, older, later) }
      expectError(.logProof) { try check(hashes + [root], older, root) }
      if !hashes.isEmpty { expectError(.logProof) { try check(hashes.dropLast(), older, root) } }
      expectError(.logProof) { try check(hashes, older, root, 0) }
      expectError(.logProof) { try check(hashes, older, root, size + 1) }
    }
  }

  @Test("numbers and hashes that no proof has are refused before anything is computed")
  func forms() {
    let hash = [UInt8](repeating: 1, count: 32)
    expectError(.logProof) { _ = try InclusionProof(index: 0, size: 0, hashes: []) }
    expectError(.logProof) { _ = try InclusionProof(index: 5, size: 5, hashes: []) }
    expectError(.logProof) { _ = try InclusionProof(index: 0, size: 1 << 63, hashes: []) }
    expectError(.logProof) { _ = try InclusionProof(index: 0, size: 9, hashes: [[1]]) }
    expectError(.logProof) { _ = try InclusionProof(index: 0, size: 9, hashes: Array(repeating: hash, count: 65)) }
    expectError(.logProof) { _ = try ConsistencyProof([[1]]) }
    expectError(.logProof) { _ = try ConsistencyProof(Array(repeating: hash, count: 129)) }
    #expect(throws: Never.self) {
      _ = try? InclusionProof(index: 1 << 62, size: 1 << 62 + 1, hashes: Array(repeating: hash, count: 64)).root(
        of: hash)
    }
  }
}
