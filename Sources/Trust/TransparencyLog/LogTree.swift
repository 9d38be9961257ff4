package import SignetBase
internal import SignetCrypto
internal import SignetNames

/// The hash tree of an append-only log (RFC 6962, section 2.1).
package enum LogTree {
  /// The length of a hash in bytes.
  package static let hashSize = 32

  /// The hash of an entry (section 2.1): SHA-256 over 0x00 and the entry.
  ///
  /// - Throws: `crypto.failure`.
  package static func leaf(_ entry: [UInt8]) throws(SignetError) -> [UInt8] {
    try Digest.of([0] + entry, .sha256).bytes
  }

  /// The hash over two others: SHA-256 over 0x01 and both.
  static func node(_ left: [UInt8], _ right: [UInt8]) throws(SignetError) -> [UInt8] {
    try Digest.of([1] + left + right, .sha256).bytes
  }
}

/// The way from an entry to the root of a tree (RFC 6962, section 2.1.1; the algorithm is that of RFC 9162, section 2.1.3.2).
package struct InclusionProof: Sendable {
  /// The number of the entry in this tree, from 0.
  package let index: UInt64
  /// The number of entries in the tree.
  package let size: UInt64
  /// The hashes beside the way, from the entry up.
  package let hashes: [[UInt8]]

  /// The most hashes that a way can have: one for each bit of a size.
  package static let limit = 64

  /// - Throws: `log.proof` for numbers or hashes that no way has.
  package init(index: UInt64, size: UInt64, hashes: [[UInt8]]) throws(SignetError) {
    guard size <= UInt64(Int64.max), index < size, hashes.count <= Self.limit,
      hashes.allSatisfy({ $0.count == LogTree.hashSize })
    else {
      throw SignetError(
        .logProof, "inclusion proof", "is none", expected: "an index below the size, and hashes of 32 bytes",
        found: "index \(index), size \(size), \(hashes.count) hashes")
    }
    (self.index, self.size, self.hashes) = (index, size, hashes)
  }

  /// The root of the tree in which the entry has its place.
  ///
  /// - Parameter leaf: the hash of the entry, which the caller has computed.
  /// - Throws: `log.proof` if the way is too short or too long for its place; `crypto.failure`.
  package func root(of leaf: [UInt8]) throws(SignetError) -> [UInt8] {
    var (place, last, hash) = (index, size - 1, leaf)
    for beside in hashes {
      guard last != 0 else { throw wrongLength }
      if place & 1 == 1 || place == last {
        hash = try LogTree.node(beside, hash)
        // The right edge of the tree has levels without a neighbour.
        while place & 1 == 0, place != 0 { (place, last) = (place >> 1, last >> 1) }
      } else {
        hash = try LogTree.node(hash, beside)
      }
      (place, last) = (place >> 1, last >> 1)
    }
    guard last == 0 else { throw wrongLength }
    return hash
  }

  private var wrongLength: SignetError {
    SignetError(
      .logProof, "inclusion proof", "has another number of hashes than its place needs",
      found: "index \(index), size \(size), \(hashes.count) hashes")
  }
}

/// That a tree continues another one (RFC 6962, section 2.1.2; the algorithm is that of RFC 9162, section 2.1.4.2).
package struct ConsistencyProof: Sendable {
  /// The hashes, from the bottom up.
  package let hashes: [[UInt8]]

  /// - Throws: `log.proof` for hashes that no proof has.
  package init(_ hashes: [[UInt8]]) throws(SignetError) {
    guard hashes.count <= 2 * InclusionProof.limit, hashes.allSatisfy({ $0.count == LogTree.hashSize }) else {
      throw SignetError(.logProof, "consistency proof", "is none", expected: "hashes of 32 bytes")
    }
    self.hashes = hashes
  }

  /// Checks that the entries of the first tree are the first ones of the second.
  ///
  /// - Parameters:
  ///   - first: the smaller tree: its size, one or more, and its root.
  ///   - second: the larger tree.
  /// - Throws: `log.proof`; `crypto.failure`.
  package func check(
    from first: (size: UInt64, root: [UInt8]), to second: (size: UInt64, root: [UInt8])
  ) throws(SignetError) {
    guard first.size > 0, first.size <= second.size else { throw refusal("is not about these sizes") }
    guard first.size < second.size else {
      guard hashes.isEmpty, first.root == second.root else { throw refusal("is about two trees of one size") }
      return
    }
    // A tree that is whole is a part of every later one, so its root is left out.
    let path = first.size & (first.size - 1) == 0 ? [first.root] + hashes : hashes
    guard var older = path.first else { throw refusal("is empty") }
    var newer = older
    var (place, last) = (first.size - 1, second.size - 1)
    while place & 1 == 1 { (place, last) = (place >> 1, last >> 1) }
    for beside in path.dropFirst() {
      guard last != 0 else { throw refusal("has too many hashes") }
      if place & 1 == 1 || place == last {
        older = try LogTree.node(beside, older)
        newer = try LogTree.node(beside, newer)
        while place & 1 == 0, place != 0 { (place, last) = (place >> 1, last >> 1) }
      } else {
        newer = try LogTree.node(newer, beside)
      }
      (place, last) = (place >> 1, last >> 1)
    }
    guard last == 0, older == first.root, newer == second.root else {
      throw refusal("does not lead from one root to the other")
    }
  }

  private func refusal(_ what: String) -> SignetError { SignetError(.logProof, "consistency proof", what) }
}
