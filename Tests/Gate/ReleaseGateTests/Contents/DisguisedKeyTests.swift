import SignetBase
import SignetCrypto
import SignetKeys
import SignetSystem
import TestSupport
import Testing

@testable import ReleaseGate

/// Keys in other forms than PEM, and keys whose bytes are not the text itself.
@Suite struct DisguisedKeyTests {
  private static func found(_ bytes: [UInt8]) throws -> [String] {
    try ContentCheck(PrivateKeyRule.self).findings(in: bytes).map { finding in
      let parts = finding.split(separator: ";").map(String.init)
      let place = parts[0].split(separator: ":").first.map(String.init) ?? ""
      return place.replacing("private-key error app.zip at ", with: "")
        + (parts.first { $0.hasPrefix(" found ") } ?? "").replacing(" found ", with: ": ")
    }
  }

  private static func found(_ text: String) throws -> [String] { try found(Array(text.utf8)) }

  private static func pem(_ kind: PrivateKey.Kind = .ed25519) throws -> String {
    guard kind == .rsa3072 else { return try made(kind) }
    return try rsa.get()
  }

  /// Made once: one takes as long as all that is done with it.
  private static let rsa = Result { try made(.rsa3072) }

  private static func made(_ kind: PrivateKey.Kind) throws -> String {
    try PrivateKey.generate(kind).unencrypted().withBytes { String(decoding: Array(copying: $0), as: UTF8.self) }
  }

  private static func utf16(_ text: String, isBig: Bool, hasMark: Bool) -> [UInt8] {
    var units = Array(text.utf16)
    if hasMark { units.insert(0xfeff, at: 0) }
    return units.flatMap { unit in
      let bytes = [UInt8(unit >> 8), UInt8(unit & 0xff)]
      return isBig ? bytes : bytes.reversed()
    }
  }

  // MARK: UTF-16 and base64

  @Test("a key is found in UTF-16 of either order, with a mark and without", arguments: [false, true])
  func utf16(isBig: Bool) throws {
    for kind in [PrivateKey.Kind.ed25519, .p256, .rsa3072] {
      for hasMark in [false, true] {
        let text = "a\r\n" + (try Self.pem(kind).replacing("\n", with: "\r\n"))
        // The offset of the first character, or of its second byte: the zeros before and after it look alike.
        let start = 6 + (hasMark ? 2 : 0) + (isBig ? 1 : 0)
        let found = try Self.found(Self.utf16(text, isBig: isBig, hasMark: hasMark))
        #expect(found == ["offset \(start): PKCS #8 in PEM, in UTF-16"], "\(kind)")
      }
    }
  }

  @Test("other marks are found in UTF-16, too")
  func otherMarks() throws {
    let putty = "PuTTY-User-Key-File-3: ssh-ed25519\r\nEncryption: none\r\nComment: c\r\nPublic-Lines: 2\r\nA\r\n"
    #expect(try Self.found(Self.utf16(putty, isBig: false, hasMark: true)) == ["offset 2: PuTTY, in UTF-16"])
    #expect(try Self.found(Self.utf16(Self.age, isBig: true, hasMark: false)) == ["offset 1: age, in UTF-16"])
  }

  @Test("a public key, and words alone, are no finding in UTF-16")
  func utf16Negative() throws {
    for text in ["-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA\n-----END PUBLIC KEY-----", "the PRIVATE KEY----- of"]
    {
      for isBig in [false, true] { #expect(try Self.found(Self.utf16(text, isBig: isBig, hasMark: true)) == []) }
    }
  }

  @Test("a secret of Kubernetes holds a key, whatever is before the key", arguments: 0..<12)
  func base64(shift: Int) throws {
    for kind in [PrivateKey.Kind.ed25519, .rsa3072] {
      let text = String(repeating: "x", count: shift) + (try Self.pem(kind))
      let encoded = Base64.encode(Array(text.utf8))
      for yaml in ["data:\n  tls.key: \(encoded)\n", "{\"tls.key\": \"\(encoded)\"}"] {
        let found = try Self.found(yaml)
        #expect(found.count == 1 && found[0].hasSuffix("PKCS #8 in PEM, in base64"), "\(found)")
      }
      // The group of four characters in which the key begins.
      #expect(try Self.found(encoded).first?.hasPrefix("offset \(shift / 3 * 4):") == true)
    }
  }

  @Test("base64 may have line ends, as in YAML and in mail", arguments: [20, 64, 76])
  func wrapped(length: Int) throws {
    let encoded = Array(Base64.encode(Array(("#" + (try Self.pem(.p256))).utf8)).utf8)
    let lines = stride(from: 0, to: encoded.count, by: length).map {
      String(decoding: encoded[$0..<min($0 + length, encoded.count)], as: UTF8.self)
    }
    // The mark itself must be on one line.
    let found = try Self.found("  key: |\n    " + lines.joined(separator: "\n    "))
    #expect(found.count == (length < 64 ? 0 : 1), "\(found)")
  }

  @Test("a public key, a certificate, and words alone, are no finding in base64", arguments: 0..<3)
  func base64Negative(shift: Int) throws {
    for text in [
      "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAvNjOKIGqNr+dBHdqMTRZK324GjkHERkASu128CRv/a4=\n",
      "-----BEGIN CERTIFICATE-----\nMIIB\n", "it begins with -----BEGIN PRIVATE KEY-----, and ends with another",
    ] {
      #expect(try Self.found(Base64.encode(Array((String(repeating: " ", count: shift) + text).utf8))) == [])
    }
  }

  // MARK: age

  /// The key of 32 bytes of 0x42, whose checksum other programs have computed.
  private static let age = "AGE-SECRET-KEY-" + "1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX"

  @Test("a key of age is found by its checksum, in a text, an assignment and base64")
  func ageKeys() throws {
    #expect(try Self.found("# created: 2026\n" + Self.age + "\n") == ["offset 16: age"])
    #expect(try Self.found("SOPS_AGE_KEY=" + Self.age) == ["offset 13: age"])
    for shift in 0..<3 {
      let text = String(repeating: "#", count: shift) + Self.age
      #expect(try Self.found(Base64.encode(Array(text.utf8))).map { $0.hasSuffix(": age, in base64") } == [true])
    }
  }

  @Test("what only looks like a key of age is none")
  func ageNegative() throws {
    let digits = Array(Self.age)
    for place in [15, 16, 30, digits.count - 1] {
      var other = digits
      other[place] = other[place] == "Q" ? "P" : "Q"
      #expect(try Self.found(String(other)) == [], "\(place)")
    }
    for text in [
      "AGE-SECRET-KEY-1...", Self.age + "Q", String(Self.age.dropLast()), Self.age.lowercased(),
      "age1t7rxyev2z3rw82stdlrrepyc39nvn86l5078zqkf5uasdy86jp6svpy7pa",
    ] { #expect(try Self.found(text) == [], "\(text)") }
  }

  // MARK: JSON Web Keys

  private static func number(_ count: Int, _ seed: UInt64) -> String {
    Base64.encode(patternBytes(count, seed: seed)).replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }

  private static let ec = [
    "\"kty\":\"EC\"", "\"crv\":\"P-256\"", "\"x\":\"\(number(32, 1))\"", "\"y\":\"\(number(32, 2))\"",
  ]
  private static let privateNumber = "\"d\":\"\(number(32, 3))\""

  @Test("a JSON Web Key is found, whatever the order of its fields and the space between them")
  func orders() throws {
    let fields = Self.ec + [Self.privateNumber, "\"kid\":\"a\""]
    for turn in fields.indices {
      let turned = fields[turn...] + fields[..<turn]
      for (separator, colon) in [(",", ":"), (", ", ": "), (",\n    ", " : ")] {
        let text = turned.joined(separator: separator).replacing("\":\"", with: "\"\(colon)\"")
        let found = try Self.found("{\"keys\":[{\(text)}]}")
        #expect(found.count == 1 && found[0].hasSuffix(": EC in JWK"), "\(turned)")
      }
    }
  }

  @Test("RSA keys and keys of other curves are found")
  func kinds() throws {
    for (curve, count) in [("Ed25519", 32), ("X25519", 32), ("Ed448", 57), ("X448", 56)] {
      let text =
        "{\"kty\":\"OKP\",\"crv\":\"\(curve)\",\"d\":\"\(Self.number(count, 4))\",\"x\":\"\(Self.number(count, 5))\"}"
      #expect(try Self.found(text).map { $0.hasSuffix("OKP in JWK") } == [true], "\(curve)")
    }
    for (curve, count) in [("P-384", 48), ("P-521", 66), ("secp256k1", 32)] {
      let text = "{\"crv\":\"\(curve)\",\"d\":\"\(Self.number(count, 4))\",\"kty\":\"EC\"}"
      #expect(try Self.found(text).map { $0.hasSuffix("EC in JWK") } == [true], "\(curve)")
    }
    for size in [256, 512] {
      let names = [
        ("d", size), ("dp", size / 2), ("dq", size / 2), ("n", size), ("p", size / 2), ("q", size / 2),
        ("qi", size / 2),
      ]
      let numbers = names.map { "\"\($0)\":\"\(Self.number($1, UInt64($1 + $0.utf8.count)))\"" }
      let sorted =
        "{" + (numbers[..<3] + ["\"e\":\"AQAB\"", "\"kty\":\"RSA\""] + numbers[3...]).joined(separator: ",") + "}"
      let usual = "{\"kty\":\"RSA\"," + (numbers[3...] + numbers[..<3]).joined(separator: ",") + "}"
      for text in [sorted, usual] {
        #expect(try Self.found(text).map { $0.hasSuffix("RSA in JWK") } == [true], "\(size)")
      }
    }
  }

  @Test("a JSON Web Key is found in a text within JSON")
  func escaped() throws {
    let text = "{\(Self.ec.joined(separator: ",")),\(Self.privateNumber)}".replacing("\"", with: "\\\"")
    #expect(try Self.found("{\"key\": \"\(text)\"}").map { $0.hasSuffix("EC in JWK") } == [true])
  }

  @Test("public keys, other objects and placeholders are none")
  func jwkNegative() throws {
    let open = Self.ec.joined(separator: ",")
    for text in [
      "{\(open)}", "{\(open),\"d\":\"…\"}", "{\(open),\"d\":\"\(String(repeating: "x", count: 43))\"}",
      "{\(open),\"d\":\"\(Self.number(20, 6))\"}", "{\(open),\"d\":\"\(Self.number(40, 6))\"}",
      "{\(open),\"d\":{\"\(Self.number(32, 6))\":1}}",
      // The number is that of another object.
      "[{\(open)},{\(Self.privateNumber)}]", "[{\(Self.privateNumber)},{\(open)}]",
      "{\(open),\"more\":{\(Self.privateNumber)}", "{\"kty\":\"oct\",\"k\":\"\(Self.number(32, 7))\"}",
      "{\"kty\":\"RSA\",\"n\":\"\(Self.number(256, 8))\",\"e\":\"AQAB\"}", "the field \"kty\" and the field \"d\"",
    ] { #expect(try Self.found(text) == [], "\(text)") }
  }

  @Test("names of an object may be there twice: the last one counts, as for programs that read JSON")
  func twice() throws {
    for text in [
      "{\"kty\":\"oct\",\(Self.ec.joined(separator: ",")),\(Self.privateNumber)}",
      "{\(Self.ec.joined(separator: ",")),\(Self.privateNumber),\"kty\":\"EC\"}",
      "{\"a\":{\"kty\":\"RSA\"},\(Self.ec.joined(separator: ",")),\(Self.privateNumber)}",
    ] { #expect(try Self.found(text).map { $0.hasSuffix("EC in JWK") } == [true], "\(text)") }
  }

  @Test("no mark before the real one hides a JSON Web Key, and no text that has its characters")
  func decoys() throws {
    let key = "\(Self.ec.joined(separator: ",")),\(Self.privateNumber)"
    let filling = "\"a\":\"\(String(repeating: "x", count: 700))\","
    for before in [
      #""note":"\"kty\":\"EC\"","#, #""note":"}}}","#, #""a":"{{{{{{","#, #""a":"\\","#, #""a":"\\\"kty\":\"EC\"","#,
      "\"kty\":\"EC\"," + filling + filling, "\"kty\":\"EC\"," + filling + "\"kty\":\"EC\"," + filling,
      "\"a\":[1,{\"kty\":\"EC\"}],",
    ] {
      for text in ["{\(before)\(key)}", "{\(key),\(before)\"b\":1}"] {
        #expect(try Self.found(text).contains { $0.hasSuffix("EC in JWK") }, "\(text)")
      }
    }
    // A text of JSON in another one, which is in a third.
    var text = "{\(key)}"
    for _ in 0..<2 {
      text = "{\"a\":\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"}"
      #expect(try Self.found(text).map { $0.hasSuffix("EC in JWK") } == [true], "\(text)")
    }
    #expect(try Self.found("{\"kty\":\"\\u0045C\",\(Self.ec[1]),\(Self.privateNumber)}").count == 1)
  }

  // MARK: cosign

  @Test("an encrypted key of cosign is found, and its words alone are not")
  func cosign() throws {
    let box =
      "{\"kdf\":{\"name\":\"scrypt\",\"params\":{\"N\":65536,\"r\":8,\"p\":1},\"salt\":\"YQ==\"},\"cipher\":{\"name\":\"nacl/secretbox\",\"nonce\":\"YQ==\"},\"ciphertext\":\"YQ==\"}"
    for label in ["ENCRYPTED COSIGN", "ENCRYPTED SIGSTORE"] {
      func block(_ text: String) -> String {
        "-----BEGIN \(label) PRIVATE KEY-----\n\(Base64.encode(Array(text.utf8)))\n-----END \(label) PRIVATE KEY-----\n"
      }
      #expect(try Self.found(block(box)) == ["offset 0: cosign"])
      #expect(try Self.found(block("a text of more than thirty bytes, and no key")) == [])
    }
  }
}
