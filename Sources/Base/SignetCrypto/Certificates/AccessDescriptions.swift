internal import SignetBase

/// The extensions that refer to other sources, and those that say more about the holder (RFC 5280, sections 4.2.1.7,
/// 4.2.1.8, 4.2.2.1 and 4.2.2.2).
///
/// Nothing here follows the references. An extension of the wrong form is refused all the same, so that two readers
/// cannot differ about it.
enum AccessDescriptions {
  /// The maximum number of descriptions or attributes in one extension; real certificates have one or two.
  private static let limit = 64

  /// AuthorityInfoAccessSyntax and SubjectInfoAccessSyntax: at least one method with its location.
  static func isAccess(_ value: DERReader) -> Bool {
    isSequence(value) { reader in
      guard var fields = reader.sequence(), fields.oid() != nil, fields.generalName() != nil, fields.isAtEnd
      else { return nil }
      return ()
    }
  }

  /// IssuerAltName: GeneralNames.
  static func isNames(_ value: DERReader) -> Bool {
    isSequence(value) { $0.generalName() }
  }

  /// SubjectDirectoryAttributes: at least one attribute, each with a set of values.
  static func isAttributes(_ value: DERReader) -> Bool {
    isSequence(value) { reader in
      guard var fields = reader.sequence(), fields.oid() != nil, var values = fields.element(DERElement.set),
        fields.isAtEnd
      else { return nil }
      return values.isList(atMost: limit) { $0.any() } ? () : nil
    }
  }

  private static func isSequence(_ value: DERReader, _ form: (inout DERReader) -> Void?) -> Bool {
    var value = value
    guard var list = value.sequence(), value.isAtEnd else { return false }
    return list.isList(atMost: limit, form)
  }
}
