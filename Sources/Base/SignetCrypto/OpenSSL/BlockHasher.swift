internal import CLibCrypto
internal import SignetBase

/// SHA-256 of many small blocks, for one thread.
///
/// One context serves all blocks: it keeps the fetched algorithm, so that starting the next block costs little. If
/// the algorithm were fetched for every block, an fs-verity digest would take twice as long.
@safe final class BlockHasher {
  private let context: OpaquePointer
  private var leaves: [UInt8]

  init() throws(SignetError) {
    let library = try LibraryContext.shared()
    ERR_clear_error()
    guard let context = unsafe EVP_MD_CTX_new() else { throw .openSSL("EVP_MD_CTX_new") }
    unsafe self.context = context
    leaves = [UInt8](repeating: 0, count: FSVerityDigest.blockSize)
    guard unsafe EVP_DigestInit_ex2(context, library.sha256, nil) == 1 else { throw .openSSL("EVP_DigestInit_ex2") }
  }

  deinit { unsafe EVP_MD_CTX_free(context) }

  /// The hash of one block in memory.
  func hash(_ block: [UInt8]) throws(SignetError) -> [UInt8] {
    var value = [UInt8](repeating: 0, count: FSVerityDigest.byteCount)
    let done = unsafe block.withUnsafeBytes { source in
      unsafe value.withUnsafeMutableBytes { unsafe hash(source, padding: 0, into: $0.baseAddress) }
    }
    guard done else { throw .openSSL("EVP_Digest") }
    return value
  }

  /// Hashes the blocks of `data`, which continue the piece at block `first`.
  ///
  /// The last block of a file is padded with zeros.
  func hashLeaves(of data: UnsafeRawBufferPointer, first: Int) throws(SignetError) {
    guard unsafe hashed(data, first) else { throw .openSSL("EVP_Digest") }
  }

  /// Hashes the blocks of a range of `bytes`, which begin a piece.
  func hashLeaves(of bytes: [UInt8], in range: Range<Int>) throws(SignetError) {
    let done = unsafe bytes.withUnsafeBytes { unsafe hashed(UnsafeRawBufferPointer(rebasing: $0[range]), 0) }
    guard done else { throw .openSSL("EVP_Digest") }
  }

  private func hashed(_ data: UnsafeRawBufferPointer, _ first: Int) -> Bool {
    unsafe leaves.withUnsafeMutableBytes { leaves -> Bool in
      var leaf = first
      for offset in stride(from: 0, to: data.count, by: FSVerityDigest.blockSize) {
        let count = min(FSVerityDigest.blockSize, data.count - offset)
        let block = unsafe UnsafeRawBufferPointer(rebasing: data[offset..<offset + count])
        let target = unsafe leaves.baseAddress?.advanced(by: leaf * FSVerityDigest.byteCount)
        guard unsafe hash(block, padding: FSVerityDigest.blockSize - count, into: target) else { return false }
        leaf += 1
      }
      return true
    }
  }

  /// The hash of the tree block over the piece's first `count` leaves; the leaf itself if it is the whole file.
  func pieceHash(leaves count: Int, isWholeFile: Bool) throws(SignetError) -> [UInt8] {
    let used = count * FSVerityDigest.byteCount
    if isWholeFile && count == 1 { return Array(leaves[..<used]) }
    for index in used..<leaves.count { leaves[index] = 0 }
    return try hash(leaves)
  }

  private func hash(_ block: UnsafeRawBufferPointer, padding: Int, into value: UnsafeMutableRawPointer?) -> Bool {
    guard unsafe EVP_DigestInit_ex2(context, nil, nil) == 1,
      unsafe EVP_DigestUpdate(context, block.baseAddress, block.count) == 1
    else { return false }
    if padding > 0 {
      let zeros = [UInt8](repeating: 0, count: padding)
      guard unsafe EVP_DigestUpdate(context, zeros, padding) == 1 else { return false }
    }
    return unsafe EVP_DigestFinal_ex(context, value?.assumingMemoryBound(to: UInt8.self), nil) == 1
  }
}
