internal import SignetBase

/// The extensions about certificate policies (RFC 5280, sections 4.2.1.4, 4.2.1.5, 4.2.1.11 and 4.2.1.14).
///
/// Only their form is checked here; OpenSSL processes them.
enum PolicyExtensions {
  /// The maximum number of policies, mappings, or qualifiers of a policy; real certificates have up to about ten.
  private static let limit = 256

  /// CertificatePolicies: at least one PolicyInformation.
  static func isPolicies(_ value: DERReader) -> Bool {
    isSequence(value) { reader in
      guard var policy = reader.sequence(), policy.oid() != nil else { return nil }
      if policy.isAtEnd { return () }
      guard var qualifiers = policy.sequence(), policy.isAtEnd else { return nil }
      return qualifiers.isList(atMost: limit, qualifier) ? () : nil
    }
  }

  /// PolicyMappings: at least one pair of policies.
  static func isMappings(_ value: DERReader) -> Bool {
    isSequence(value) { reader in
      guard var pair = reader.sequence(), pair.oid() != nil, pair.oid() != nil, pair.isAtEnd else {
        return nil
      }
      return ()
    }
  }

  /// PolicyConstraints: one or two numbers of certificates; it must not be empty (section 4.2.1.11).
  static func isConstraints(_ value: DERReader) -> Bool {
    var value = value
    guard var fields = value.sequence(), value.isAtEnd, !fields.isAtEnd else { return false }
    for number in UInt8(0)...1 where fields.nextTag == DERElement.primitive(number) {
      guard let count = fields.element(DERElement.primitive(number))?.rest, isCount(count) else { return false }
    }
    return fields.isAtEnd
  }

  /// InhibitAnyPolicy: a number of certificates.
  static func isInhibition(_ value: DERReader) -> Bool {
    var value = value
    return value.unsignedInteger() != nil && value.isAtEnd
  }

  private static func isSequence(_ value: DERReader, _ form: (inout DERReader) -> Void?) -> Bool {
    var value = value
    guard var list = value.sequence(), value.isAtEnd else { return false }
    return list.isList(atMost: limit, form)
  }

  private static func isCount(_ content: [UInt8]) -> Bool {
    DERReader.isShortestInteger(content) && content[0] < 0x80
  }

  private static func qualifier(_ reader: inout DERReader) -> Void? {
    guard var fields = reader.sequence(), let name = fields.oid() else { return nil }
    switch name {
    case .practiceStatement:
      guard let address = fields.element(DERElement.ia5String)?.rest, address.allSatisfy({ $0 < 0x80 }) else {
        return nil
      }
    case .userNotice: guard var notice = fields.sequence(), isNotice(&notice) else { return nil }
    default: guard fields.any() != nil else { return nil }
    }
    return fields.isAtEnd ? () : nil
  }

  /// UserNotice: optionally a reference to a notice (an organization and numbers), optionally its text.
  private static func isNotice(_ fields: inout DERReader) -> Bool {
    if fields.nextTag == DERElement.sequence {
      guard var reference = fields.sequence(), isText(&reference), var numbers = reference.sequence(),
        reference.isAtEnd
      else { return false }
      while !numbers.isAtEnd { guard numbers.integer() != nil else { return false } }
    }
    return fields.isAtEnd || (isText(&fields) && fields.isAtEnd)
  }

  /// DisplayText. It has at most 200 characters, but readers should not enforce this limit (section 4.2.1.4).
  private static func isText(_ fields: inout DERReader) -> Bool {
    guard let (tag, content) = fields.element() else { return false }
    switch tag {
    case DERElement.ia5String, DERElement.visibleString, DERElement.bmpString, DERElement.utf8String:
      if case .text = DirectoryString.decode(tag, content.rest) { return true }
      return false
    default: return false
    }
  }
}

extension OID {
  static let practiceStatement = pkix(2, 1)
  static let userNotice = pkix(2, 2)
}
