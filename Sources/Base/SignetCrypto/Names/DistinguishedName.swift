internal import SignetBase

/// The name of a certificate's subject or issuer: a Name (RFC 5280, section 4.1.2.4), read strictly.
///
/// Two names are equal if their bytes are equal. Chains are built with `canonical`, which also treats names as
/// equal that differ in string type, white space or the case of ASCII letters.
public struct DistinguishedName: Hashable, Sendable {
  /// The Name in DER, including tag and length.
  public let der: [UInt8]
  /// All attributes, in the order of the DER. The members of a set follow each other; sets with several members are
  /// very rare.
  let attributes: [NameAttribute]
  /// The form for comparison as RFC 5280, section 7.1, requires it and OpenSSL implements it.
  package let canonical: [UInt8]
  /// The name as RFC 4514 writes it: the last attribute first, `CN=Publisher,O=Example,C=CH`.
  ///
  /// Attributes without a short name appear with their object identifier, values that are not text in hexadecimal,
  /// and control characters escaped.
  public let description: String

  /// The maximum number of relative names in a name, and of attributes in a relative name. Real ones have up to about
  /// ten.
  private static let partLimit = 64

  package init?(der: [UInt8]) {
    var outer = DERReader(der)
    guard var sequence = outer.sequence(), outer.isAtEnd else { return nil }
    var sets: [[NameAttribute]] = []
    while !sequence.isAtEnd {
      guard sets.count < Self.partLimit, let set = sequence.element(DERElement.set), let parts = Self.parts(set)
      else { return nil }
      sets.append(parts)
    }
    self.der = der
    attributes = sets.flatMap { $0 }
    canonical = DERWriter.element(
      DERElement.sequence,
      sets.flatMap { set in
        // The order within a set is not significant.
        let parts = set.map(\.canonical).sorted { $0.lexicographicallyPrecedes($1) }
        return DERWriter.element(DERElement.set, parts.flatMap { $0 })
      })
    description = sets.reversed().map { $0.map(\.description).joined(separator: "+") }.joined(separator: ",")
  }

  private static func parts(_ set: DERReader) -> [NameAttribute]? {
    var set = set
    var parts: [NameAttribute] = []
    var previous: [UInt8] = []
    while !set.isAtEnd {
      guard parts.count < partLimit, let encoded = set.encoded(DERElement.sequence),
        // X.690, section 11.6: the members of a set are in ascending order, and none occurs twice.
        previous.lexicographicallyPrecedes(encoded), let part = NameAttribute(der: encoded)
      else { return nil }
      previous = encoded
      parts.append(part)
    }
    return parts.isEmpty ? nil : parts
  }

  /// Whether the name has no attributes.
  public var isEmpty: Bool { attributes.isEmpty }

  /// The country codes, exactly as encoded, in the order of the DER.
  public var countries: [String] { texts(.country) }

  /// The organizations, exactly as encoded, in the order of the DER.
  public var organizations: [String] { texts(.organization) }

  /// The organizational units, exactly as encoded, in the order of the DER.
  public var organizationalUnits: [String] { texts(.organizationalUnit) }

  /// The common names, exactly as encoded, in the order of the DER.
  public var commonNames: [String] { texts(.commonName) }

  /// The common name; nil unless there is exactly one.
  public var commonName: String? {
    let names = commonNames
    return names.count == 1 ? names.first : nil
  }

  private func texts(_ type: OID) -> [String] {
    attributes.compactMap { $0.type == type ? $0.text : nil }
  }

  /// Names are equal if their DER is equal.
  public static func == (left: DistinguishedName, right: DistinguishedName) -> Bool { left.der == right.der }

  /// Hashes the DER.
  public func hash(into hasher: inout Hasher) { hasher.combine(der) }
}

extension DistinguishedName: CustomStringConvertible {}
