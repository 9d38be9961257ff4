import Foundation
import SignetBase
import SignetCrypto
import SignetNames
import SignetSystem
import TestSupport
import Testing

@testable import SignetCMS

/// Tokens of time-stamping authorities, as openssl makes them.
@Suite("tokens of time-stamping authorities", .enabled(if: Program.find("openssl") != nil, "needs openssl"))
struct TimestampTokenTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("content", Array("hello\n".utf8))
    try folder.write("openssl.cnf", Array(Self.configuration.utf8))
  }

  private static let configuration = """
    [req]
    distinguished_name = dn
    [dn]
    [ca]
    basicConstraints = critical, CA:TRUE
    keyUsage = critical, keyCertSign
    subjectKeyIdentifier = hash
    [good]
    keyUsage = critical, digitalSignature
    extendedKeyUsage = critical, timeStamping
    subjectKeyIdentifier = hash
    authorityKeyIdentifier = keyid
    [commitment]
    keyUsage = critical, nonRepudiation
    extendedKeyUsage = critical, timeStamping
    subjectKeyIdentifier = hash
    authorityKeyIdentifier = keyid
    [tsa]
    default_tsa = authority
    [authority]
    serial = serial
    signer_digest = sha256
    default_policy = 1.2.3.4.1
    digests = sha256, sha384, sha512
    accuracy = secs:1, millisecs:500, microsecs:100
    ordering = yes
    tsa_name = yes
    ess_cert_id_chain = no

    """

  private static let keys = [
    "rsa": "-algorithm RSA -pkeyopt rsa_keygen_bits:2048", "p256": "-algorithm EC -pkeyopt ec_paramgen_curve:P-256",
    "p384": "-algorithm EC -pkeyopt ec_paramgen_curve:P-384",
  ]

  private func run(_ script: String, _ comment: Comment = "") throws {
    let run = try Shell.run(script, in: folder.path)
    #expect(run.status == 0, "\(comment) \(run.errors)")
  }

  /// Makes an authority: its CA, and a certificate with these extensions.
  private func makeAuthority(_ kind: String, _ extensions: String = "good") throws {
    try run(
      """
      openssl genpkey \(Self.keys[kind] ?? "") -out ca.key 2> /dev/null && openssl genpkey \(Self.keys[kind] ?? "") -out tsa.key 2> /dev/null && \
      openssl req -new -x509 -config openssl.cnf -extensions ca -key ca.key -subj /CN=Authority -days 30 -out ca.pem && \
      openssl req -new -config openssl.cnf -key tsa.key -subj /CN=Clock -out tsa.csr && \
      openssl x509 -req -in tsa.csr -CA ca.pem -CAkey ca.key -set_serial 77 -days 20 -extfile openssl.cnf -extensions \(extensions) -out tsa.pem 2> /dev/null
      """, "\(kind) \(extensions)")
  }

  /// A token over the content.
  private func token(
    digest: String = "sha256", certificate: String = "sha256", embeds: Bool = true, isToken: Bool = false
  ) throws -> [UInt8] {
    try run(
      """
      printf 01 > serial && openssl ts -query -config openssl.cnf -data content -\(digest) \(embeds ? "-cert" : "") -out query 2> /dev/null && \
      sed 's/^ess_cert_id_chain.*/&\\ness_cert_id_alg = \(certificate)/' openssl.cnf > ts.cnf && \
      openssl ts -reply -config ts.cnf -queryfile query -signer tsa.pem -inkey tsa.key \(isToken ? "-token_out" : "") -out reply 2> /dev/null
      """, "\(digest) \(certificate)")
    return try folder.read("reply")
  }

  private func certificate(_ name: String) throws -> Certificate {
    try #require(Certificate.all(in: SecretBytes(folder.read(name))).first)
  }

  private func authority(_ window: TimeWindow = .init()) throws -> TimestampAuthority {
    try #require(TimestampAuthority([certificate("tsa.pem"), certificate("ca.pem")], window: window))
  }

  private let content = Array("hello\n".utf8)

  @Test(
    "answers and tokens by keys of each kind are read, with and without certificates",
    arguments: ["rsa", "p256", "p384"])
  func honest(kind: String) throws {
    try makeAuthority(kind)
    let authority = try authority()
    let anchorAlone = try #require(TimestampAuthority([certificate("ca.pem")]))
    for digest in ["sha256", "sha384", "sha512"] {
      for certificate in ["sha1", "sha256", "sha512"] {
        let bytes = try token(
          digest: digest, certificate: certificate, embeds: certificate != "sha256", isToken: digest == "sha384")
        let token = try TimestampToken(der: bytes)
        #expect(token.info.imprint == (try Digest.of(content, #require(DigestAlgorithm(rawValue: digest)))))
        #expect(token.info.policy.description == "1.2.3.4.1")
        let now = UnixTime(seconds: Int64(Date().timeIntervalSince1970))
        #expect(abs(token.info.time.seconds - now.seconds) < 3600)
        #expect(try token.check(over: content, by: [authority]).chain == authority.chain)
        // An authority of which only the anchor is known must have put its certificate into the token.
        if token.certificates.isEmpty {
          expectError(.timestampAuthority) { _ = try token.check(over: content, by: [anchorAlone]) }
        } else {
          _ = try token.check(over: content, by: [anchorAlone])
        }
        expectError(.timestampImprint) { _ = try token.check(over: content + [0], by: [authority]) }
        expectError(.timestampAuthority) { _ = try token.check(over: content, by: []) }
      }
    }
  }

  @Test("a token counts in the window of the authority, both ends included")
  func window() throws {
    try makeAuthority("p256")
    let token = try TimestampToken(der: token())
    let time = token.info.time
    func check(_ from: Int64?, _ until: Int64?) throws {
      let window = TimeWindow(
        from: from.map { UnixTime(seconds: time.seconds + $0) },
        until: until.map { UnixTime(seconds: time.seconds + $0) })
      _ = try token.check(over: content, by: [authority(window)])
    }
    try check(0, 0)
    try check(nil, 0)
    try check(0, nil)
    expectError(.timestampOutsideWindow) { try check(1, nil) }
    expectError(.timestampOutsideWindow) { try check(nil, -1) }
    // One that counts is enough.
    _ = try token.check(
      over: content, by: [authority(.init(until: UnixTime(seconds: 0))), authority()])
  }

  @Test("the certificate is for time stamping alone, and says so in a critical extension")
  func purposes() throws {
    func expect(_ code: SignetError.Code?, _ extensions: String) throws {
      // openssl makes no token with such a certificate, so the token is made with a good one of the same name and key.
      try makeAuthority("p256")
      let token = try TimestampToken(der: token(embeds: false))
      try folder.write(
        "other.cnf", Array("[x]\n\(extensions)\nsubjectKeyIdentifier = hash\nauthorityKeyIdentifier = keyid\n".utf8))
      try run(
        "openssl x509 -req -in tsa.csr -CA ca.pem -CAkey ca.key -set_serial 77 -days 20 -extfile other.cnf -extensions x -out tsa.pem 2> /dev/null",
        "\(extensions)")
      let leaf = try certificate("tsa.pem")
      let authority = try authority()
      // The token names another certificate, which is found out first.
      let found: SignetError.Code = code == .chainLeafIsCA ? .timestampAuthority : .timestampCertificate
      expectError(found) { _ = try token.check(over: content, by: [authority]) }
      do {
        // The certificate may be a second younger than the token.
        _ = try authority.path(from: leaf, [], at: leaf.notBefore)
        #expect(code == nil, "\(extensions)")
      } catch { #expect(error.code == code, "\(extensions): \(error)") }
    }
    let usage = "keyUsage = critical, digitalSignature\n"
    try expect(nil, usage + "extendedKeyUsage = critical, timeStamping\n")
    try expect(nil, "extendedKeyUsage = critical, timeStamping\n")
    try expect(nil, "keyUsage = critical, nonRepudiation\nextendedKeyUsage = critical, timeStamping\n")
    try expect(.chainNotTimeStamping, usage + "extendedKeyUsage = timeStamping\n")
    try expect(.chainNotTimeStamping, usage + "extendedKeyUsage = critical, timeStamping, codeSigning\n")
    try expect(.chainNotTimeStamping, usage + "extendedKeyUsage = critical, codeSigning\n")
    try expect(.chainNotTimeStamping, usage)
    try expect(.chainKeyUsage, "keyUsage = critical, keyEncipherment\nextendedKeyUsage = critical, timeStamping\n")
    try expect(
      .chainLeafIsCA,
      "basicConstraints = critical, CA:TRUE\nkeyUsage = critical, keyCertSign, digitalSignature\nextendedKeyUsage = critical, timeStamping\n"
    )
  }

  @Test("another authority's key, and an expired certificate, prove nothing")
  func strangers() throws {
    try makeAuthority("p256")
    let token = try TimestampToken(der: token())
    let authority = try authority()
    try makeAuthority("p256")
    let stranger = try self.authority()
    // The same names and numbers, with other keys.
    expectError(.timestampCertificate) { _ = try token.check(over: content, by: [stranger]) }
    let anchor = try #require(TimestampAuthority([certificate("ca.pem")]))
    expectError(.chainUntrusted) { _ = try token.check(over: content, by: [anchor]) }
    let leaf = authority.chain[0]
    let late = UnixTime(seconds: leaf.notAfter.seconds + 1)
    expectError(.chainExpired) { _ = try authority.path(from: leaf, [], at: late) }
  }

  @Test("no changed byte of a token is accepted as something else")
  func changed() throws {
    try makeAuthority("p256")
    let bytes = try token(embeds: false)
    let authority = try authority()
    let time = try TimestampToken(der: bytes).info.time
    for place in Extent.sample(of: Array(bytes.indices), oneOf: 11) {
      for bit: UInt8 in [1, 0x10] {
        var other = bytes
        other[place] ^= bit
        do {
          let token = try TimestampToken(der: other)
          _ = try token.check(over: content, by: [authority])
          #expect(token.info.time == time, "the byte \(place)")
        } catch {
          #expect(["cms.", "timestamp.", "chain."].contains { error.code.rawValue.hasPrefix($0) }, "\(error)")
        }
      }
    }
    for count in Extent.sample(of: Array(bytes.indices), oneOf: 11) {
      #expect(throws: SignetError.self) { try TimestampToken(der: Array(bytes.prefix(count))) }
    }
  }

  @Test("what is no token is refused by name")
  func others() throws {
    func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { DERWriter.element(tag, content) }
    expectError(.timestampMalformed) { _ = try TimestampToken(der: []) }
    expectError(.timestampRejected) { _ = try TimestampToken(der: element(0x30, element(0x30, [2, 1, 2]))) }
    expectError(.timestampMalformed) { _ = try TimestampToken(der: element(0x30, element(0x30, [2, 1, 0]))) }
    expectError(.timestampMalformed) {
      _ = try TimestampToken(der: [UInt8](repeating: 0x30, count: SignedData.sizeLimit + 1))
    }
    try run(
      """
      openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out key 2> /dev/null && \
      openssl req -new -x509 -config openssl.cnf -key key -subj /CN=x -out pem && \
      openssl cms -sign -binary -nodetach -in content -signer pem -inkey key -outform DER -out signed
      """)
    expectError(.timestampMalformed) { _ = try TimestampToken(der: folder.read("signed")) }
  }

  /// The fields of a TSTInfo.
  private func info(
    version: [UInt8] = [2, 1, 1], digest: [UInt8]? = nil, time: String = "20261128010203Z", rest: [UInt8] = []
  ) -> [UInt8] {
    func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { DERWriter.element(tag, content) }
    let sha256 = element(0x30, element(6, [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]))
    let imprint = element(0x30, digest ?? (sha256 + element(4, [UInt8](repeating: 1, count: 32))))
    return element(
      0x30, version + element(6, [0x2a, 3]) + imprint + [2, 1, 5] + element(0x18, Array(time.utf8)) + rest)
  }

  @Test(
    "the fields are those of RFC 3161, section 2.4.2: optional ones may come, and what is not understood is refused")
  func fields() throws {
    func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { DERWriter.element(tag, content) }
    #expect(try TimestampInfo(der: info()).time == UnixTime(seconds: 1_795_827_723))
    #expect(try TimestampInfo(der: info(time: "20261128010203.123456Z")).time == UnixTime(seconds: 1_795_827_723))
    let accuracy = element(0x30, [2, 1, 1] + [0x80, 2, 1, 0xf4] + [0x81, 1, 100])
    let tail = accuracy + [1, 1, 0xff] + [2, 1, 9] + element(0xa0, element(0xa4, element(0x30, [])))
    _ = try TimestampInfo(der: info(rest: tail))
    _ = try TimestampInfo(der: info(rest: [1, 1, 0]))
    func extensions(_ critical: [UInt8]) -> [UInt8] {
      element(0xa1, element(0x30, element(6, [0x2a, 3]) + critical + element(4, [5, 0])))
    }
    _ = try TimestampInfo(der: info(rest: extensions([])))
    expectError(.timestampUnsupported) { _ = try TimestampInfo(der: info(rest: extensions([1, 1, 0xff]))) }
    let sha1 =
      element(0x30, element(6, [0x2b, 0x0e, 0x03, 0x02, 0x1a])) + element(4, [UInt8](repeating: 1, count: 20))
    expectError(.timestampUnsupported) { _ = try TimestampInfo(der: info(digest: sha1)) }
    let short = element(0x30, element(6, [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01])) + element(4, [1])
    for bytes in [
      info(version: [2, 1, 2]), info(digest: short), info(time: "20261128010203"), info(time: "20261128010203.Z"),
      info(time: "20261128010203.120Z"), info(time: "20261328010203Z"), info(time: "2611280102Z"),
      info(rest: [5, 0]),
      info(rest: element(0x30, [5, 0])), info(rest: [1, 1, 7]), info(rest: element(0xa0, [])), [], [0x30, 0],
    ] { expectError(.timestampMalformed) { _ = try TimestampInfo(der: bytes) } }
  }
}
