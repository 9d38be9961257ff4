internal import SignetBase

/// Who a certificate is about or by: a Name (RFC 5280, section 4.1.2.4), read strictly.
///
/// Equal means the same bytes. Chains are built by ``canonical``, which also takes names for the same that differ in
/// string type, white space or the case of ASCII letters.
public struct DistinguishedName: Hashable, Sendable {
  /// The Name in DER, tag and length included.
  public let der: [UInt8]
  /// Every attribute, in the order of the DER; sets of several, which nearly nobody uses, are put one after the other.
  let attributes: [NameAttribute]
  /// For comparison as section 7.1 of RFC 5280 demands, and as OpenSSL does it.
  let canonical: [UInt8]
  /// As RFC 4514 writes it: the last attribute first, `CN=Publisher,O=Example,C=CH`. Attributes without a short name
  /// stand with their object identifier, values that are no text in hexadecimal, control characters escaped.
  public let description: String

  /// Relative names in one name, and attributes in one of those, at most. Real ones have up to about ten.
  private static let partLimit = 64

  init?(der: [UInt8]) {
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
        // The order within a set has no meaning.
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
        // X.690, section 11.6: the members of a set stand in ascending order; none stands twice.
        previous.lexicographicallyPrecedes(encoded), let part = NameAttribute(der: encoded)
      else { return nil }
      previous = encoded
      parts.append(part)
    }
    return parts.isEmpty ? nil : parts
  }

  /// Whether there is no attribute at all.
  public var isEmpty: Bool { attributes.isEmpty }

  /// The country codes, exactly as they stand, in the order of the DER.
  public var countries: [String] { texts(.country) }

  /// The organizations, exactly as they stand, in the order of the DER.
  public var organizations: [String] { texts(.organization) }

  /// The units within the organizations, exactly as they stand, in the order of the DER.
  public var organizationalUnits: [String] { texts(.organizationalUnit) }

  /// The common names, exactly as they stand, in the order of the DER.
  public var commonNames: [String] { texts(.commonName) }

  /// The common name; nil when there is none, and when there are several.
  public var commonName: String? {
    let names = commonNames
    return names.count == 1 ? names.first : nil
  }

  private func texts(_ type: OID) -> [String] {
    attributes.compactMap { $0.type == type ? $0.text : nil }
  }

  /// Equal names have the same DER.
  public static func == (left: DistinguishedName, right: DistinguishedName) -> Bool { left.der == right.der }

  /// Hashes the DER.
  public func hash(into hasher: inout Hasher) { hasher.combine(der) }
}

extension DistinguishedName: CustomStringConvertible {}
