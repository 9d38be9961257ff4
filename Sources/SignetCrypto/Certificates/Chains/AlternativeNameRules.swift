/// The forms that alternative names must have (RFC 5280, section 4.2.1.6): who constrains names has to be able to rely on
/// where a name begins and ends.
enum AlternativeNameRules {
  /// Why a name must not stand in a certificate; nil when it may.
  static func objection(to name: SubjectAlternativeName) -> String? {
    switch name.kind {
    case .dns: isHost(name.text, mayBeWildcard: true) ? nil : "a DNS name that is none"
    case .email: isMailbox(name.text) ? nil : "a mailbox that is none"
    case .uri: isAbsolute(name.text) ? nil : "a URI that is not absolute"
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

  /// A scheme, a colon, and something (RFC 3986, section 3.1).
  private static func isAbsolute(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty, let first = parts[0].first, isLetter(first) else { return false }
    return parts[0].allSatisfy { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
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

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercased(byte))
  }
  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
