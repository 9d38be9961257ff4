internal import SignetBase
internal import SignetCrypto
internal import SignetFiles
internal import SignetSystem

/// A line of an allowed signers file (ssh-keygen(1), "ALLOWED SIGNERS"): whose key it is, for what and when.
struct AllowedSigner {
  /// Patterns of principals, in one text.
  let principals: String
  /// Whether the key certifies others, and does not sign itself.
  let isAuthority: Bool
  /// Patterns of namespaces; nil for all.
  let namespaces: String?
  /// The first second at which it counts, and the last one.
  let after: UnixTime?
  let before: UnixTime?
  let key: SSHKey

  /// Reads a line; nil for a blank one and for a comment.
  ///
  /// - Throws: `key.malformed`: OpenSSH skips a line that it cannot read, and its owner does not learn that it says nothing.
  init?(_ line: String, _ place: String) throws(SignetError) {
    func malformed(_ what: String, _ found: String? = nil) -> SignetError {
      SignetError(
        .keyMalformed, place, what, expected: "PRINCIPALS [OPTIONS] TYPE KEY, as ssh-keygen reads it", found: found,
        hint: "mend the line, or remove it")
    }
    var fields = Fields(line)
    guard let first = fields.next(), first.first != UInt8(ascii: "#") else { return nil }
    // Another program could take such a character for the end of a line.
    guard !line.unicodeScalars.contains(where: SSHText.isControl) else { throw malformed("has a control character") }
    let principals = Fields.quoted(first[...]) ?? String(decoding: first, as: UTF8.self)
    guard let second = fields.next() else { throw malformed("names principals, and no key") }
    var options = Options()
    var type = String(decoding: second, as: UTF8.self)
    if !SSHKey.isType(type) {
      guard options.read(second) else { throw malformed("has options that cannot be read", type) }
      guard let third = fields.next() else { throw malformed("has no key") }
      type = String(decoding: third, as: UTF8.self)
    }
    guard let text = fields.next(), let wire = try? Base64.decode(String(decoding: text, as: UTF8.self)),
      let key = SSHKey(wire),
      key.type.isExactly(type)
    else { throw malformed("has a key that cannot be read", type) }
    if let before = options.before, let after = options.after, before <= after {
      throw malformed("ends before it begins")
    }
    (self.principals, self.key) = (principals, key)
    (isAuthority, namespaces) = (options.isAuthority, options.namespaces)
    (after, before) = (options.after, options.before)
  }

  private struct Options {
    var isAuthority = false
    var namespaces: String?
    var after: UnixTime?
    var before: UnixTime?

    /// - Returns: false for anything that is not known, or is there twice.
    mutating func read(_ text: [UInt8]) -> Bool {
      for option in Fields.parts(text[...], at: [UInt8(ascii: ",")]) {
        let parts = option.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(decoding: parts[0], as: UTF8.self).lowercased()
        // ssh-keygen wants quotes.
        let value = parts.count > 1 ? Fields.quoted(parts[1]) : nil
        switch (name, value) {
        case ("cert-authority", nil) where !isAuthority && parts.count == 1: isAuthority = true
        case ("namespaces", let value?) where namespaces == nil && !value.isEmpty: namespaces = value
        case ("valid-after", let value?) where after == nil: after = SSHTime.read(value)
        case ("valid-before", let value?) where before == nil: before = SSHTime.read(value)
        default: return false
        }
        if name == "valid-after", after == nil { return false }
        if name == "valid-before", before == nil { return false }
      }
      return true
    }
  }

  /// The words of a line, between blanks that stand in no quotes. It goes by bytes, as OpenSSH does: a blank with an accent
  /// is one, too.
  private struct Fields {
    private var parts: [ArraySlice<UInt8>]

    init(_ line: String) {
      parts = Self.parts(Array(line.utf8)[...], at: [UInt8(ascii: " "), UInt8(ascii: "\t")]).filter { !$0.isEmpty }
    }

    /// The next word, with its quotes.
    mutating func next() -> [UInt8]? { parts.isEmpty ? nil : Array(parts.removeFirst()) }

    static func parts(_ text: ArraySlice<UInt8>, at separators: [UInt8]) -> [ArraySlice<UInt8>] {
      var isQuoted = false
      return text.split(omittingEmptySubsequences: false) { byte in
        if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
        return separators.contains(byte) && !isQuoted
      }
    }

    /// What is in quotes; nil for a text without them.
    static func quoted(_ text: ArraySlice<UInt8>) -> String? {
      let quote = UInt8(ascii: "\"")
      guard text.count > 1, text.first == quote, text.last == quote else { return nil }
      return String(decoding: text.dropFirst().dropLast(), as: UTF8.self)
    }
  }
}

extension SSHKey {
  /// Whether a word can be the type of a key.
  fileprivate static func isType(_ word: String) -> Bool {
    ["ssh-", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-", "webauthn-"].contains(where: word.hasPrefix)
  }
}

/// Times as OpenSSH writes them: `YYYYMMDD` or `YYYYMMDDHHMM[SS]`, in the machine's zone unless `Z` or `UTC` is behind them.
enum SSHTime {
  static func read(_ text: String) -> UnixTime? {
    let zone = ["Z", "UTC"].first { text.uppercased().hasSuffix($0) }
    let digits = text.dropLast(zone?.count ?? 0).utf8.map { Int64($0) - 0x30 }
    guard [8, 12, 14].contains(digits.count), digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
    let all = digits + [Int64](repeating: 0, count: 14 - digits.count)
    func number(_ range: Range<Int>) -> Int64 { all[range].reduce(0) { $0 * 10 + $1 } }
    let date = CivilDate(year: number(0..<4), month: number(4..<6), day: number(6..<8))
    let (hour, minute, second) = (number(8..<10), number(10..<12), number(12..<14))
    return zone == nil
      ? UnixTime(local: date, hour: hour, minute: minute, second: second)
      : UnixTime(date: date, hour: hour, minute: minute, second: second)
  }
}
