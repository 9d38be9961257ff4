internal import SignetBase

/// The names that may occur below a CA (RFC 5280, section 4.2.1.10).
///
/// OpenSSL applies the constraints of most kinds of name; ``NameRules`` applies those to the hosts of URIs and to
/// wildcards.
struct NameConstraints: Sendable {
  /// Why a constraint cannot be applied as written; nil if all can be applied.
  ///
  /// One such constraint is enough, wherever it is in the list. It was meant to forbid something, but what it forbids
  /// is unknown.
  private(set) var objection: (reason: String, constraint: String)?
  /// The domains that must not contain a DNS name; an empty one contains every name.
  private(set) var excludedDomains: [[UInt8]] = []
  /// The constraints of URIs: hosts and domains.
  private(set) var permittedHosts: [HostConstraint] = []
  private(set) var excludedHosts: [HostConstraint] = []

  /// The maximum number of constraints, which is more than any CA has; OpenSSL gives up after 2^20 comparisons.
  private static let limit = 512

  init?(_ value: DERReader) {
    var value = value
    guard var fields = value.sequence(), value.isAtEnd, !fields.isAtEnd else { return nil }
    for number in UInt8(0)...1 where fields.nextTag == DERElement.constructed(number) {
      guard var subtrees = fields.element(DERElement.constructed(number)),
        subtrees.isList(atMost: Self.limit, { read(&$0, isExcluded: number == 1) })
      else { return nil }
    }
    guard fields.isAtEnd else { return nil }
  }

  private mutating func read(_ list: inout DERReader, isExcluded: Bool) -> Void? {
    guard var subtree = list.sequence(), let (tag, base) = subtree.element(), GeneralName.isForm(tag) else {
      return nil
    }
    // Section 4.2.1.10: minimum is zero, which is not encoded, and maximum is absent.
    if !subtree.isAtEnd { object("has a minimum or a maximum", tag, base) }
    for number in UInt8(0)...1 where subtree.nextTag == DERElement.primitive(number) {
      guard let distance = subtree.element(DERElement.primitive(number))?.rest,
        DERReader.isShortestInteger(distance)
      else { return nil }
    }
    guard subtree.isAtEnd else { return nil }
    if let fault = fault(tag, base, isExcluded: isExcluded) { object(fault, tag, base) }
    switch tag {
    case DERElement.primitive(2) where isExcluded: excludedDomains.append(base.rest)
    case DERElement.primitive(6):
      let host = HostConstraint(base.rest)
      if isExcluded { excludedHosts.append(host) } else { permittedHosts.append(host) }
    default: break
    }
    return ()
  }

  private mutating func object(_ reason: String, _ tag: UInt8, _ base: DERReader) {
    if objection == nil { objection = (reason, GeneralName.text(tag, base)) }
  }

  /// Why it is unknown which names are in a subtree, or why the subtree excludes every name; nil if there is no
  /// fault.
  private func fault(_ tag: UInt8, _ base: DERReader, isExcluded: Bool) -> String? {
    let content = base.rest
    switch tag {
    case DERElement.primitive(2):
      // "Any DNS name that can be constructed by adding zero or more labels": labels can also be added to an empty
      // base, and CAs exclude all DNS names in this way. The base has no leading period, unlike those of URIs.
      return content.isEmpty || HostName.isProper(content) ? nil : "is not a DNS name"
    case DERElement.primitive(6):
      // "MUST be specified as a fully qualified domain name": an empty name is not one, and readers differ about it.
      return HostName.isProper(content.withoutPeriod, allowsUnderscores: true)
        ? nil : "is not the host or domain of a URI"
    case DERElement.primitive(1):
      let isMailbox = content.contains(UInt8(ascii: "@"))
      return (isMailbox ? HostName.isMailbox(content) : HostName.isProper(content.withoutPeriod))
        ? nil : "is not a mailbox, host or domain"
    case DERElement.primitive(7): return addressFault(content)
    case DERElement.constructed(4):
      guard let name = DistinguishedName(der: content) else { return "is not a name" }
      return isExcluded && name.isEmpty ? "excludes every name" : nil
    // OpenSSL refuses any name of such a kind below a constraint of the same kind.
    default: return GeneralName.isWellFormed(tag, base) ? nil : "is not a name"
    }
  }

  /// Checks an address and a mask, each of four or sixteen bytes.
  private func addressFault(_ content: [UInt8]) -> String? {
    guard content.count == 8 || content.count == 32 else { return "is not a range of IP addresses" }
    // A mask consists of ones, followed by zeros (RFC 4632).
    let mask = content[(content.count / 2)...]
    let isContiguous =
      zip(mask, mask.dropFirst()).allSatisfy { $0 == 0xff || $1 == 0 }
      && mask.allSatisfy { (~$0 &+ 1) & ~$0 == 0 }
    return isContiguous ? nil : "has a mask with holes"
  }
}

/// A constraint of URIs: a host, or, with a leading period, every host in a domain except the domain itself.
struct HostConstraint: Sendable {
  private let base: [UInt8]

  init(_ content: [UInt8]) { base = content.map(HostName.lowercased) }

  /// - Parameter host: the host in lower case.
  func contains(_ host: [UInt8]) -> Bool {
    guard base.first == UInt8(ascii: ".") else { return host == base }
    return host.count > base.count && host.suffix(base.count).elementsEqual(base)
  }
}

extension HostConstraint: CustomStringConvertible {
  var description: String { "uri:" + String(decoding: base, as: UTF8.self) }
}

extension GeneralName {
  /// Whether a tag belongs to one of the nine kinds of name.
  static func isForm(_ tag: UInt8) -> Bool {
    switch tag {
    case 0x81, 0x82, 0x86, 0x87, 0x88, 0xa0, 0xa3, 0xa4, 0xa5: true
    default: false
    }
  }

  /// The text of a constraint for messages.
  fileprivate static func text(_ tag: UInt8, _ base: DERReader) -> String {
    let content = base.rest
    let kinds: [UInt8: String] = [0x81: "email", 0x82: "dns", 0x86: "uri"]
    if let kind = kinds[tag], content.allSatisfy({ (0x20..<0x7f).contains($0) }) {
      return "\(kind):" + String(decoding: content, as: UTF8.self)
    }
    if tag == DERElement.constructed(4), let name = DistinguishedName(der: content) { return "directoryName:\(name)" }
    return "#" + Hexadecimal.encode(DERWriter.element(tag, Array(content.prefix(64))))
  }
}

extension [UInt8] {
  /// The name without its leading period, which distinguishes a domain from a host.
  fileprivate var withoutPeriod: [UInt8] { first == UInt8(ascii: ".") ? Array(dropFirst()) : self }
}
