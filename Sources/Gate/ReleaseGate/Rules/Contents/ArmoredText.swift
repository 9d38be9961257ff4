/// The base64 behind a label, wherever the label is: in a file of its own, in JSON, or in the source code of a program.
///
/// There, lines end with `\n` or with escapes that stand for it, and a text may be put together from several. Reading
/// goes on as long as there is base64, so the result is the beginning of what a program would read.
struct ArmoredText {
  /// The decoded bytes, as far as the text goes.
  private(set) var bytes: [UInt8] = []
  /// Whether a last line with dashes follows: all bytes are there.
  private(set) var isWhole = false
  /// Whether a header says that the bytes are encrypted (RFC 1421, section 4.6.1.1).
  private(set) var isEncrypted = false

  private var rest: ArraySlice<UInt8>

  /// The maximum number of headers before the base64. OpenSSL writes two, and OpenPGP programs up to five.
  private static let headerLimit = 10
  /// The maximum number of bytes between two parts of a text in source code.
  private static let joinLimit = 200

  /// Reads what follows a label.
  init(_ text: ArraySlice<UInt8>) {
    rest = text
    skipSeparators()
    for _ in 0..<Self.headerLimit { guard skipHeader() else { break } }
    readBase64()
  }

  private mutating func readBase64() {
    var (bits, count): (UInt32, Int) = (0, 0)
    while let byte = rest.first {
      if let value = Self.value(byte) {
        rest = rest.dropFirst()
        bits = bits << 6 | UInt32(value)
        count += 6
        guard count >= 8 else { continue }
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      } else if byte == UInt8(ascii: "=") || byte == UInt8(ascii: "-") {
        return readEnd()
      } else if !skipSeparators() {
        return
      }
    }
  }

  /// Reads padding, OpenPGP's checksum, and the last line.
  private mutating func readEnd() {
    rest = rest.drop { $0 == UInt8(ascii: "=") }
    skipSeparators()
    if rest.first == UInt8(ascii: "="), rest.dropFirst().prefix(4).allSatisfy({ Self.value($0) != nil }) {
      rest = rest.dropFirst(5)
      skipSeparators()
    }
    isWhole = rest.starts(with: "-----END".utf8) || rest.starts(with: "---- END".utf8)
  }

  /// Skips a header such as `DEK-Info: AES-256-CBC,…`.
  ///
  /// - Returns: false if none is here.
  private mutating func skipHeader() -> Bool {
    let name = rest.prefix(40).prefix { Self.value($0) != nil || $0 == UInt8(ascii: "-") }
    let value = rest.dropFirst(name.count)
    guard !name.isEmpty, value.first == UInt8(ascii: ":") else { return false }
    let text = value.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\\") }
    if name.elementsEqual("Proc-Type".utf8), Array(text.suffix(9)) == Array("ENCRYPTED".utf8) { isEncrypted = true }
    rest = rest.dropFirst(name.count + text.count)
    return skipSeparators()
  }

  // MARK: Between lines

  /// Skips white space, and whatever stands for it.
  ///
  /// - Returns: whether there was any.
  @discardableResult private mutating func skipSeparators() -> Bool {
    let count = rest.count
    while let byte = rest.first {
      let skipped =
        switch byte {
        case 0x20, 0x09...0x0d: 1
        case UInt8(ascii: "\\"): escape()
        case UInt8(ascii: "&"): reference()
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): join(byte)
        default: 0
        }
      guard skipped > 0 else { break }
      rest = rest.dropFirst(skipped)
    }
    return rest.count < count
  }

  /// The length of an escape for white space, such as `\n`, `\\n` or `\u000a`, of a line that goes on, or of the
  /// backslash in `\/`; 0 if none of these is here.
  private func escape() -> Int {
    let slashes = rest.prefix { $0 == UInt8(ascii: "\\") }.count
    let next = rest.dropFirst(slashes)
    switch next.first {
    case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"): return slashes + 1
    case UInt8(ascii: "u"):
      let code = String(decoding: next.dropFirst().prefix(4), as: UTF8.self)
      return ["000a", "000A", "000d", "000D", "0009"].contains(code) ? slashes + 5 : 0
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "/"): return slashes
    default: return 0
    }
  }

  /// The length of XML's reference to a line end; 0 if none is here.
  private func reference() -> Int {
    ["&#10;", "&#13;", "&#xA;", "&#xD;", "&#xa;", "&#xd;"].first { rest.starts(with: $0.utf8) }?.utf8.count ?? 0
  }

  /// The length of what joins two parts of a text in source code: from the quotation mark at the end of one to that at
  /// the beginning of the next; 0 if the text ends here.
  private func join(_ quote: UInt8) -> Int {
    let between = rest.dropFirst().prefix(Self.joinLimit).prefix { byte in
      switch byte {
      case 0x20, 0x09...0x0d: true
      default: "+.,\\&".utf8.contains(byte)
      }
    }
    return rest.dropFirst(between.count + 1).first == quote ? between.count + 2 : 0
  }

  /// The value of a character of base64; nil for any other.
  static func value(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
