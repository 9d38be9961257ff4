public import SignetBase
internal import SignetOCSP
public import SignetVerify

extension PolicyPart {
  /// Responses by OCSP (RFC 6960) about the certificates of signers and of authorities of timestamps.
  public static let statusResponses = PolicyPart.statusForm(.ocsp)
}

extension StatusForm {
  /// Responses by OCSP, in DER.
  public static let ocsp = StatusForm(StatusResponses.self)
}

extension StapledResponses {
  /// Responses by OCSP that were fetched beforehand (RFC 6960, section 4.2.1).
  ///
  /// - Parameter responses: each in DER.
  /// - Throws: `ocsp.malformed`, `ocsp.unsupported`; `ocsp.rejected` for an answer by which a responder declines.
  public static func ocsp(_ responses: [[UInt8]]) throws(SignetError) -> StapledResponses {
    responses.isEmpty ? .none : try StapledResponses(responses, in: .ocsp)
  }
}
