package import SignetBase
internal import SignetCrypto
package import SignetSystem

/// What a file holds that is no key Signet reads: another program's key, or a key whose text was changed on its way.
///
/// People give such files by mistake. The message names what it is and what to do, and it shows nothing of the content.
package enum OtherKey {
  /// Reads the content of a key's file, or a key that is given as text. If that fails, the error says what the content is,
  /// as far as it is known.
  ///
  /// - Parameter isToSign: whether a private key is asked for.
  package static func explaining<Value>(
    _ content: SecretBytes, isToSign: Bool, _ read: () throws(SignetError) -> Value
  ) throws(SignetError) -> Value {
    do throws(SignetError) { return try read() } catch  where error.code == .keyMalformed {
      throw refusal(content, isToSign: isToSign) ?? error
    }
  }

  /// Whether a text on a command line is a key that was changed on its way, or one of another program, and not the name of a
  /// file: reading it says what is wrong.
  package static func isText(_ text: String) -> Bool {
    refusal(SecretBytes(Array(text.utf8)), isToSign: false) != nil
  }

  /// The error for content that could not be read as a key; nil if nothing more can be said about it.
  ///
  /// - Parameter isToSign: whether a private key was asked for.
  static func refusal(_ content: SecretBytes, isToSign: Bool) -> SignetError? {
    // Only what lies at the beginning says what it is. The marks of a block can be anywhere.
    let head = content.withBytes { Array(copying: $0, 0..<min($0.count, headSize)) }
    return changedText(content, head) ?? otherProgram(head, isToSign ? toSign : toVerify)
  }

  private static let headSize = 512

  // MARK: Changed text

  private static let mark = Array("-----BEGIN ".utf8)

  private static func changedText(_ content: SecretBytes, _ head: [UInt8]) -> SignetError? {
    func malformed(_ what: String, _ found: String? = nil, _ hint: String) -> SignetError {
      SignetError(.keyMalformed, "key", what, expected: "a key in PEM, as it was written", found: found, hint: hint)
    }
    if head.starts(with: [0xef, 0xbb, 0xbf]) {
      return malformed(
        "begins with a byte-order mark", "EF BB BF", "take the first three bytes away: tail -c +4 OLD > NEW")
    }
    if let encoding = utf16(head) {
      return malformed("is text in UTF-16", nil, "convert it: iconv -f \(encoding) -t UTF-8 OLD > NEW")
    }
    guard let line = firstLine(content) else { return nil }
    if line.contains(Array("-----\\n".utf8)) || line.contains(Array("-----\\r".utf8)) {
      return malformed(
        "has the two characters \\n where lines end", nil,
        "write the ends of its lines: printf '%b' \"$(cat OLD)\" > NEW")
    }
    if line.contains(Array("-----END ".utf8)) {
      return malformed(
        "has all its lines in one", nil, "write its lines apart: sed 's/KEY-----/&\\n/; s/-----END/\\n&/' OLD > NEW")
    }
    guard let start = line.firstRange(of: mark)?.lowerBound, start > 0 else { return nil }
    let isBlank = line[..<start].allSatisfy { $0 == 0x20 || $0 == 0x09 }
    return malformed(
      "has something before -----BEGIN in its line", isBlank ? "blanks" : "other characters",
      "take away what is before the lines: sed 's/^[ \\t\"'\\'']*//' OLD > NEW")
  }

  /// The name of the encoding of text in UTF-16; nil for other content.
  private static func utf16(_ head: [UInt8]) -> String? {
    if head.starts(with: [0xff, 0xfe]) || head.starts(with: [0xfe, 0xff]) { return "UTF-16" }
    let dashes = [UInt8](repeating: UInt8(ascii: "-"), count: 5)
    if head.starts(with: dashes.flatMap { [$0, 0] }) { return "UTF-16LE" }
    if head.starts(with: dashes.flatMap { [0, $0] }) { return "UTF-16BE" }
    return nil
  }

  /// The first line with the beginning of a block, up to a length that no such line has.
  private static func firstLine(_ content: SecretBytes) -> [UInt8]? {
    content.withBytes { bytes -> [UInt8]? in
      var start = 0
      for index in 0..<bytes.count {
        if bytes[index] == UInt8(ascii: "\n") { start = index + 1 }
        guard bytes[index] == UInt8(ascii: "-"), index + mark.count <= bytes.count,
          mark.indices.allSatisfy({ bytes[index + $0] == mark[$0] })
        else { continue }
        var end = index
        while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
        return Array(copying: bytes, start..<end)
      }
      return nil
    }
  }

  // MARK: Other programs

  /// What to do where a private key was asked for, and its program signs in a way of its own.
  private static let toSign = "make a key that Signet signs with: signet keygen --out PATH"
  /// What to do where a public key was asked for.
  private static let toVerify =
    "verify the signatures of this key with its own program, or give the public half; for those of Signet, ask the publisher "
    + "for the public key that signet keygen wrote"

  private static func otherProgram(_ head: [UInt8], _ own: String) -> SignetError? {
    func unsupported(_ what: String, _ found: String? = nil, _ hint: String) -> SignetError {
      SignetError(.keyUnsupported, "key", what, expected: KeyForm.known, found: found, hint: hint)
    }
    let text = String(decoding: head, as: UTF8.self)
    func has(_ part: String) -> Bool { text.utf8.firstRange(of: Array(part.utf8)) != nil }
    func starts(_ part: String) -> Bool { text.utf8.starts(with: part.utf8) }
    if isOpenPGP(head) || has("-----BEGIN PGP ") && has("KEY BLOCK-----") {
      return unsupported("is a key of OpenPGP", nil, own)
    }
    if has("-----BEGIN PGP ") { return unsupported("is data of OpenPGP", nil, own) }
    if let signature = minisignSignature(text) {
      return unsupported("is a signature of \(signature), and no key", nil, own)
    }
    if starts("untrusted comment:") || has("RWRTY0Iy") || has("RWRCSw") || isMinisign(head) {
      let isSignify = has("signify") || has("RWRCSw")
      let isMinisign = has("minisign") || has("RWRTY0Iy")
      let program = isSignify == isMinisign ? "minisign or signify" : isSignify ? "signify" : "minisign"
      let isSecret = ["secret key", "RWRTY0Iy", "RWQAAEIy", "RWRCSw"].contains(where: has)
      return unsupported("is a \(isSecret ? "secret " : "")key of \(program)", nil, own)
    }
    if isPKCS12(head) {
      return unsupported(
        "is a file of PKCS#12", nil,
        "take the key out: openssl pkcs12 -in OLD -nocerts -out KEY, and the certificates for --certificate: "
          + "openssl pkcs12 -in OLD -nokeys -out CERTIFICATES")
    }
    if head.starts(with: [0xfe, 0xed, 0xfe, 0xed]) {
      return unsupported(
        "is a key store of Java", nil,
        "write it as PKCS#12, then take the key out of that: "
          + "keytool -importkeystore -srckeystore OLD -destkeystore NEW -deststoretype PKCS12")
    }
    if starts("PuTTY-User-Key-File-") {
      return unsupported(
        "is a key of PuTTY", nil, "write it in OpenSSH's form: puttygen OLD -O private-openssh -o NEW")
    }
    if starts("---- BEGIN SSH2 ") {
      return unsupported("is in the form of RFC 4716", nil, "write it in one line: ssh-keygen -i -f OLD > NEW")
    }
    if has("ENCRYPTED SIGSTORE PRIVATE KEY") || has("ENCRYPTED COSIGN PRIVATE KEY") {
      return unsupported("is a key that cosign has encrypted", nil, own)
    }
    if has("\"kty\"") {
      return unsupported("is a JSON Web Key", nil, "write it as PEM, with the program that made it")
    }
    for kind in ["sk-ssh-", "sk-ecdsa-", "ssh-dss "] where starts(kind) {
      return SignetError(
        .keyUnsupported, "key", "has a type that is not supported",
        expected: "Ed25519, RSA, or ECDSA over P-256, P-384 or P-521",
        found: String(text.prefix { $0 != " " }), hint: own)
    }
    return nil
  }

  /// The program whose signature a text is: a comment, and the base64 of "Ed" or "ED", a number and 64 bytes.
  private static func minisignSignature(_ text: String) -> String? {
    let lines = text.split(whereSeparator: \.isNewline)
    guard lines.count > 1, lines[0].hasPrefix("untrusted comment:"), let bytes = try? Base64.decode(String(lines[1])),
      bytes.count == 74
    else { return nil }
    return lines.count > 2 && lines[2].hasPrefix("trusted comment:") ? "minisign" : "signify"
  }

  /// A packet with a public or a secret key (RFC 9580, sections 4.2 and 5.5): its tag, its length, its version.
  private static func isOpenPGP(_ head: [UInt8]) -> Bool {
    guard head.count > 12, head[0] & 0x80 != 0 else { return false }
    let isNew = head[0] & 0x40 != 0
    let tag = isNew ? head[0] & 0x3f : head[0] >> 2 & 0x0f
    guard tag == 5 || tag == 6 else { return false }
    let length =
      isNew ? (head[1] < 192 ? 1 : head[1] < 224 ? 2 : 5) : [1, 2, 4][Int(min(head[0] & 3, 2))]
    return (3...6).contains(head[1 + length])
  }

  /// The base64 of "Ed", eight bytes and a key, alone in a line.
  private static func isMinisign(_ head: [UInt8]) -> Bool {
    let line = head.prefix { $0 > 0x20 }
    guard let bytes = try? Base64.decode(String(decoding: line, as: UTF8.self)) else { return false }
    return bytes.count == 42 && bytes.starts(with: Array("Ed".utf8))
  }

  /// PFX (RFC 7292, section 4): version 3, then content of a kind of PKCS#7.
  private static func isPKCS12(_ head: [UInt8]) -> Bool {
    let start: [UInt8] = [DERElement.integer, 1, 3, DERElement.sequence]
    let kind: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07]
    guard head.first == DERElement.sequence, let place = head.prefix(10).firstRange(of: start) else { return false }
    return head[place.upperBound...].prefix(24).contains(kind)
  }
}
