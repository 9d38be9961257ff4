internal import SignetCrypto
internal import SignetNames

extension KeylessBundle {
  /// The digests that may be needed of bytes that are signed alone: what the signature covers, and what logs name.
  ///
  /// - Parameter key: the key that is expected; nil for the certificate's.
  func digestAlgorithms(for key: PublicKey?) -> [DigestAlgorithm] {
    guard case .message(let claimed, _) = content else { return [] }
    var algorithms: Set<DigestAlgorithm> = [.sha256]
    if let claimed { algorithms.insert(claimed.algorithm) }
    var key = key
    if case .certificate(let leaf, _) = signer { key = try? leaf.publicKey() }
    if let digest = key?.algorithm.digest { algorithms.insert(digest) }
    for entry in entries { if let body = try? EntryBody(entry) { algorithms.insert(body.digest.algorithm) } }
    return algorithms.sorted { $0.byteCount < $1.byteCount }
  }
}
