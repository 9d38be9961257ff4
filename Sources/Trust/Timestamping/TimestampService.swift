package import SignetBase

/// The way to time-stamping authorities. What they answer is not trusted.
package protocol TimestampService: Sendable {
  /// An authority's URL as messages have it: without what may be a secret.
  func shown(_ address: String) -> String
  /// Sends a request to an authority (RFC 3161, section 3.4).
  ///
  /// - Parameters:
  ///   - request: a TimeStampReq in DER.
  ///   - address: the authority's URL.
  /// - Returns: what it answers, a TimeStampResp in DER if all is well.
  /// - Throws: why there is no answer.
  func answer(to request: [UInt8], at address: String) throws(SignetError) -> [UInt8]
}
