package import SignetBase
package import SignetCrypto
internal import SignetNames

/// A log's promise to include a certificate (SignedCertificateTimestamp: RFC 6962, section 3.2), as the certificate has it.
package struct SignedCertificateTimestamp: Sendable {
  /// The identifier of the log.
  package let logID: [UInt8]
  /// When the log promised it, without the fraction of a second.
  package let time: UnixTime
  private let milliseconds: UInt64
  private let extensions: [UInt8]
  /// The algorithms for digest and signature (RFC 5246, section 7.4.1.4.1).
  private let algorithm: [UInt8]
  private let signature: [UInt8]

  private static let limit = 32

  /// The promises in a certificate; none if it has no list.
  ///
  /// - Throws: `log.promise` for a list that cannot be read.
  package static func all(in body: CertificateBody) throws(SignetError) -> [SignedCertificateTimestamp] {
    guard let value = body.value(of: CertificateBody.timestampList) else { return [] }
    var reader = DERReader(value)
    guard let bytes = reader.octetString(), reader.isAtEnd else { throw malformed }
    var list = TLSReader(bytes)
    guard var entries = list.vector(width: 2), list.isAtEnd, !entries.isAtEnd else { throw malformed }
    var found: [SignedCertificateTimestamp] = []
    while !entries.isAtEnd {
      guard found.count < limit, let entry = entries.vector(width: 2) else { throw malformed }
      // Later versions may come, and count for nothing (section 3.3).
      if let timestamp = try SignedCertificateTimestamp(entry) { found.append(timestamp) }
    }
    return found
  }

  /// - Returns: nil for another version.
  private init?(_ entry: TLSReader) throws(SignetError) {
    var entry = entry
    guard let version = entry.bytes(1) else { throw Self.malformed }
    guard version == [0] else { return nil }
    guard let logID = entry.bytes(32), let time = entry.bytes(8), var extensions = entry.vector(width: 2),
      let algorithm = entry.bytes(2), var signature = entry.vector(width: 2), entry.isAtEnd
    else { throw Self.malformed }
    self.logID = logID
    milliseconds = time.reduce(0) { $0 << 8 | UInt64($1) }
    self.time = UnixTime(seconds: Int64(clamping: milliseconds / 1000))
    self.extensions = extensions.rest()
    self.algorithm = algorithm
    self.signature = signature.rest()
  }

  /// Checks that a log has promised to include the certificate.
  ///
  /// - Parameters:
  ///   - body: the certificate's, in which the promise is.
  ///   - issuer: the certificate's issuer, as its path was found.
  /// - Throws: `log.promise` if the log has not signed this; `crypto.failure`.
  package func check(_ body: CertificateBody, issuedBy issuer: Certificate, by log: PublicKey) throws(SignetError) {
    let issuerHash = try Digest.of(issuer.publicKeyInfo, .sha256).bytes
    let certificate = body.withoutTimestamps
    var message: [UInt8] = [0, 0]
    message += Self.number(milliseconds, 8) + [0, 1] + issuerHash
    message += Self.number(UInt64(certificate.count), 3) + certificate
    message += Self.number(UInt64(extensions.count), 2) + extensions
    switch (log.algorithm, algorithm) {
    case (.p256, [4, 3]), (.rsa, [4, 1]): break
    default: throw refusal("is signed by an algorithm that the log's key has not")
    }
    switch log.verify(signature, over: message) {
    case .valid: return
    case .invalid: throw refusal("was not made by the log")
    case .couldNotCheck(let error): throw error
    }
  }

  private static func number(_ value: UInt64, _ width: Int) -> [UInt8] {
    (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * (width - 1 - $0))) }
  }

  private func refusal(_ what: String) -> SignetError {
    SignetError(.logPromise, "the log's promise about the certificate", what, found: Hexadecimal.encode(logID))
  }

  private static var malformed: SignetError {
    SignetError(
      .logPromise, "the logs' promises about the certificate", "cannot be read", expected: "RFC 6962, section 3.3")
  }
}

/// Reads the structures of TLS (RFC 5246, section 4).
struct TLSReader {
  private var left: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { left = bytes[...] }

  var isAtEnd: Bool { left.isEmpty }

  mutating func bytes(_ count: Int) -> [UInt8]? {
    guard left.count >= count else { return nil }
    defer { left = left.dropFirst(count) }
    return Array(left.prefix(count))
  }

  /// A vector whose length has this many bytes.
  mutating func vector(width: Int) -> TLSReader? {
    guard let length = bytes(width)?.reduce(0, { $0 << 8 | Int($1) }), let content = bytes(length) else { return nil }
    return TLSReader(content)
  }

  /// All that is left.
  mutating func rest() -> [UInt8] {
    defer { left = [] }
    return Array(left)
  }
}
