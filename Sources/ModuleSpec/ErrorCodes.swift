public import SignetBase

extension SignetError.Code {
  // MARK: Specs

  /// A text that is not a spec: not JSON, or a field with a wrong value.
  public static let specMalformed = Self("spec.malformed")
  /// A spec with a field that is not known.
  public static let specUnknownField = Self("spec.unknown-field")
  /// A folder without a spec.
  public static let specMissing = Self("spec.missing")
}

extension Set<SignetError.Code> {
  /// All codes for faults of a spec's text.
  package static let aboutSpecTexts: Self = [.specMalformed, .specUnknownField]
}
