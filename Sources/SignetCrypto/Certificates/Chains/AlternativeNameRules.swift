/// The forms that alternative names must have (RFC 5280, section 4.2.1.6): who constrains names has to be able to rely on
/// where a name begins and ends.
enum AlternativeNameRules {
  /// Why a name must not stand in a certificate; nil when it may.
  static func objection(to name: SubjectAlternativeName) -> String? {
    switch name.kind {
    case .dns: isHost(name.text, mayBeWildcard: true) ? nil : "a DNS name that is none"
    case .email: isMailbox(name.text) ? nil : "a mailbox that is none"
    case .uri: isAbsolute(name.text) ? nil : "a URI that is not absolute, or whose host does not stand alone"
    case .ip, .other: nil
    }
  }

  /// Labels of letters, digits and hyphens (RFC 1123, section 2.1), the last not all digits, as that of an address would
  /// be; in front perhaps the label `*` (RFC 9525, section 6.3).
  private static func isHost(_ text: String, mayBeWildcard: Bool) -> Bool {
    var labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    if mayBeWildcard, labels.count > 1, labels[0].elementsEqual("*".utf8) { labels.removeFirst() }
    guard text.utf8.count <= 253, let last = labels.last, !last.allSatisfy(isDigit) else { return false }
    return labels.allSatisfy { label in
      (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
        && label.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") }
    }
  }

  /// A local part, one at sign, a host (RFC 2821, section 4.1.2). Quoted local parts, in which another at sign could
  /// hide, are not taken.
  private static func isMailbox(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[0].contains(UInt8(ascii: "\"")) else { return false }
    return isHost(String(decoding: Array(parts[1]), as: UTF8.self), mayBeWildcard: false)
  }

  /// A scheme, a colon, and something (RFC 3986, section 3.1); behind two slashes a host, and perhaps a port.
  private static func isAbsolute(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty, let first = parts[0].first, isLetter(first) else { return false }
    guard parts[0].allSatisfy({ isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }) else { return false }
    guard parts[1].starts(with: "//".utf8) else { return true }
    return isAuthority(parts[1].dropFirst(2).prefix { $0 != UInt8(ascii: "/") })
  }

  /// Everything between the slashes. Constraints are about the host alone, and OpenSSL takes all that stands before a
  /// colon or a slash for it: a user before it, a query behind it, or another spelling would get by them.
  private static func isAuthority(_ text: Substring.UTF8View) -> Bool {
    if text.isEmpty { return true }
    if text.first == UInt8(ascii: "[") {
      guard let end = text.firstIndex(of: UInt8(ascii: "]")) else { return false }
      let address = text[..<end].dropFirst()
      return !address.isEmpty && address.allSatisfy { isHexadecimal($0) || ":.".utf8.contains($0) }
        && isPort(text[text.index(after: end)...])
    }
    let end = text.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
    // An underscore is no part of a host's name, but of some that are used.
    let labels = text[..<end].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return isPort(text[end...])
      && labels.allSatisfy { label in
        !label.isEmpty && label.allSatisfy { isLetter($0) || isDigit($0) || "-_".utf8.contains($0) }
      }
  }

  private static func isPort(_ text: Substring.UTF8View) -> Bool {
    text.isEmpty || (text.first == UInt8(ascii: ":") && text.dropFirst().allSatisfy(isDigit))
  }

  /// A DNS name that stands for every host of a domain.
  struct Wildcard: CustomStringConvertible {
    let description: String
    /// The domain in lower case, with the period before it.
    private let parent: [UInt8]

    /// nil for any other name.
    init?(_ name: SubjectAlternativeName) {
      guard name.kind == .dns, name.text.utf8.starts(with: "*.".utf8) else { return nil }
      description = name.description
      parent = name.text.utf8.dropFirst().map(lowercased)
    }

    /// Whether it may stand for a host in a domain: `*.example.com` for one in `bar.example.com`.
    func mayMatch(in domain: [UInt8]) -> Bool {
      domain.count > parent.count && domain.suffix(parent.count).elementsEqual(parent) { lowercased($0) == $1 }
    }
  }

  /// The wildcards among names.
  static func wildcards(_ names: [SubjectAlternativeName]) -> [Wildcard] { names.compactMap { Wildcard($0) } }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(lowercased(byte))
  }
  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercased(byte))
  }
  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
