public import SignetBase

/// What checking a signature gave. Three values, because OpenSSL has three and confusing them has let forgeries pass
/// (CVE-2008-5077): only ``valid`` is success.
public enum SignatureCheck: Sendable {
  /// The key made this signature over this message.
  case valid
  /// It did not.
  case invalid
  /// Whether it did could not be found out: the library failed, the signature is not to blame.
  case couldNotCheck(SignetError)
}
