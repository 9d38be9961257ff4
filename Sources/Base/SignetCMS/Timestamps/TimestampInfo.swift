package import SignetBase
internal import SignetCrypto
package import SignetNames

/// What a time-stamping authority states: which bytes there were, and when (TSTInfo: RFC 3161, section 2.4.2).
package struct TimestampInfo: Sendable {
  /// The policy of the authority under which it states this.
  package let policy: OID
  /// The digest of the bytes.
  package let imprint: Digest
  /// The number of the token, in two's complement.
  package let serialNumber: [UInt8]
  /// The time, without the fraction of a second.
  package let time: UnixTime
  /// The number of the request, in two's complement; nil if it had none.
  package let nonce: [UInt8]?

  /// The maximum length of a serial number in bytes: implementations must take 160 bits.
  private static let serialLimit = 64

  /// Reads the content of a token.
  ///
  /// - Throws: `timestamp.malformed`, `timestamp.unsupported`.
  init(der: [UInt8]) throws(SignetError) {
    var outer = DERReader(der)
    guard var fields = outer.sequence(), outer.isAtEnd else { throw Self.malformed("is no TSTInfo in DER") }
    guard fields.unsignedInteger(atMost: 1) == 1 else { throw Self.malformed("is not of version 1") }
    guard let policy = fields.oid() else { throw Self.malformed("names no policy") }
    self.policy = policy
    imprint = try Self.imprint(&fields)
    guard let serial = fields.integer(), serial.count <= Self.serialLimit else {
      throw Self.malformed("has no serial number")
    }
    serialNumber = serial
    guard let time = fields.fractionalTime() else { throw Self.malformed("has no time") }
    self.time = time
    guard Self.skipAccuracy(&fields), Self.skipOrdering(&fields) else { throw Self.malformed("has a damaged field") }
    var nonce: [UInt8]?
    if fields.nextTag == DERElement.integer {
      guard let number = fields.integer() else { throw Self.malformed("has a damaged field") }
      nonce = number
    }
    self.nonce = nonce
    guard
      fields.nextTag != DERElement.constructed(0)
        || fields.element(DERElement.constructed(0)).map({ $0.isWellFormed && !$0.isAtEnd }) == true
    else { throw Self.malformed("has a damaged field") }
    if fields.nextTag == DERElement.constructed(1) {
      guard let extensions = fields.element(DERElement.constructed(1)) else {
        throw Self.malformed("has damaged extensions")
      }
      try Self.check(extensions)
    }
    guard fields.isAtEnd else { throw Self.malformed("has a field that is not known") }
  }

  /// MessageImprint: a digest and its algorithm.
  private static func imprint(_ fields: inout DERReader) throws(SignetError) -> Digest {
    guard var imprint = fields.sequence() else { throw malformed("is about no bytes") }
    guard let algorithm = CertificateSignatureAlgorithm.digest(&imprint) else {
      throw SignetError(
        .timestampUnsupported, "timestamp", "uses a digest that is not accepted",
        expected: "SHA-256, SHA-384 or SHA-512")
    }
    guard let bytes = imprint.octetString(), imprint.isAtEnd, bytes.count == algorithm.byteCount else {
      throw malformed("is about no bytes")
    }
    return Digest(algorithm: algorithm, bytes: bytes)
  }

  /// Accuracy: seconds, and milliseconds and microseconds from 1 to 999. It is no part of what is decided.
  private static func skipAccuracy(_ fields: inout DERReader) -> Bool {
    guard fields.nextTag == DERElement.sequence else { return true }
    guard var accuracy = fields.sequence() else { return false }
    if accuracy.nextTag == DERElement.integer, accuracy.integer() == nil { return false }
    for number: UInt8 in 0...1 where accuracy.nextTag == DERElement.primitive(number) {
      guard let value = accuracy.element(DERElement.primitive(number))?.rest, DERReader.isShortestInteger(value)
      else {
        return false
      }
    }
    return accuracy.isAtEnd
  }

  /// The field `ordering`. False is the default, which DER leaves out; several authorities write it.
  private static func skipOrdering(_ fields: inout DERReader) -> Bool {
    fields.nextTag != DERElement.boolean || fields.boolean() != nil
  }

  /// Refuses what changes the meaning, and is not understood.
  private static func check(_ extensions: DERReader) throws(SignetError) {
    var rest = extensions
    while !rest.isAtEnd {
      guard var item = rest.sequence(), let name = item.oid() else { throw malformed("has damaged extensions") }
      var isCritical = false
      if item.nextTag == DERElement.boolean {
        guard let value = item.boolean() else { throw malformed("has damaged extensions") }
        isCritical = value
      }
      guard item.octetString() != nil, item.isAtEnd else { throw malformed("has damaged extensions") }
      guard !isCritical else {
        throw SignetError(
          .timestampUnsupported, "timestamp", "has a critical extension that is not understood", found: "\(name)")
      }
    }
  }

  static func malformed(_ what: String) -> SignetError {
    SignetError(.timestampMalformed, "timestamp", what, expected: "RFC 3161, section 2.4.2, in DER")
  }
}

extension DERReader {
  /// The next GeneralizedTime in UTC, with or without a fraction of a second, which is left out (RFC 3161, section 2.4.2).
  mutating func fractionalTime() -> UnixTime? {
    guard nextTag == DERElement.generalizedTime, let text = element(DERElement.generalizedTime)?.rest,
      text.count >= 15, text.last == UInt8(ascii: "Z")
    else { return nil }
    let fraction = text.dropFirst(14).dropLast()
    if !fraction.isEmpty {
      // DER: a full stop, digits, and no zero at the end.
      guard fraction.count > 1, fraction.first == UInt8(ascii: "."), fraction.last != UInt8(ascii: "0"),
        fraction.dropFirst().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
      else { return nil }
    }
    let whole = Array(text.prefix(14)) + [UInt8(ascii: "Z")]
    var reader = DERReader([DERElement.generalizedTime, UInt8(whole.count)] + whole)
    return reader.generalizedTime()
  }
}
