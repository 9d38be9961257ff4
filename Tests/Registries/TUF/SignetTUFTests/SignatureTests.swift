import SignetBase
import SignetCrypto
import SignetKeys
import SignetSystem
import TestSupport
import Testing

@testable import SignetTUF

@Suite struct SignatureTests {
  private static let ring: (KeyRing, [PrivateKey]) = {
    let keys = (0..<3).compactMap { _ in try? PrivateKey.generate(.ed25519) }
    return (KeyRing(keys.compactMap { try? TUFKey($0.publicKey) }), keys)
  }()

  private func timestamp() -> TimestampRole {
    TimestampRole(version: 1, expires: SimulatedRepository.later, snapshot: FileFacts(version: 1))
  }

  private func authority(_ threshold: Int, _ ids: [String]? = nil, _ ring: KeyRing? = nil) -> RoleAuthority {
    let ring = ring ?? Self.ring.0
    return RoleAuthority(
      role: "timestamp", keys: KeyThreshold(keyIDs: ids ?? ring.entries.map(\.name), threshold: threshold), ring: ring
    )
  }

  /// The metadata with its `signatures` changed.
  private func changed(_ bytes: [UInt8], _ change: ([JSONValue]) -> [JSONValue]) throws -> [UInt8] {
    let value = try JSONReader.read(bytes, limits: .payload)
    guard case .array(let signatures)? = value.member("signatures")?.content else { return [] }
    return try ReadableJSON.write(
      .object(("signatures", .array(change(signatures))), ("signed", value.member("signed"))))
  }

  private func signed(_ count: Int) throws -> [UInt8] {
    var draft = try MetadataDraft(timestamp())
    for key in Self.ring.1.prefix(count) { try draft.sign(with: key) }
    return try draft.bytes()
  }

  private func verify(_ bytes: [UInt8], _ authority: RoleAuthority) throws {
    _ = try UnverifiedMetadata<TimestampRole>(bytes).verified(by: authority)
  }

  @Test("as many keys as the threshold must have signed")
  func threshold() throws {
    try verify(try signed(2), authority(2))
    let error = expectError(.tufThreshold) { try verify(try signed(2), authority(3)) }
    #expect(error?.expected == "valid signatures of 3 of its keys")
    expectError(.tufThreshold) { try verify(try signed(3), authority(4)) }
    expectError(.tufThreshold) { try verify(try signed(0), authority(1)) }
  }

  @Test("a key ID that is named twice in a role counts once")
  func duplicateInRole() throws {
    let id = Self.ring.0.entries[0].name
    try verify(try signed(1), authority(1, [id, id]))
    expectError(.tufThreshold) { try verify(try signed(1), authority(2, [id, id])) }
  }

  @Test("one key under two IDs counts once")
  func sameKeyTwice() throws {
    let key = Self.ring.1[0]
    let plain = try TUFKey(key.publicKey)
    guard case .object(let members) = plain.json.content else {
      Issue.record("no object")
      return
    }
    let other = try TUFKey(json: JSONValue(.object(members + [JSONValue.Member("note", .string("again"))])))
    #expect(other.id != plain.id)
    var draft = try MetadataDraft(timestamp())
    try draft.sign(with: key)
    try draft.sign(with: key, as: other)
    let bytes = try draft.bytes()
    try verify(bytes, authority(1, nil, KeyRing([plain, other])))
    expectError(.tufThreshold) { try verify(bytes, authority(2, nil, KeyRing([plain, other]))) }
  }

  @Test("two signatures under one key ID make the file unreadable, whoever made them")
  func duplicateSignature() throws {
    let bytes = try changed(try signed(2)) { $0 + [$0[0]] }
    expectError(.tufDuplicateSignature) { try verify(bytes, authority(1)) }
  }

  @Test("a signature that is empty, odd, wrong or of an unknown key is passed over")
  func badSignatures() throws {
    for bad in ["", "0", "zz", "00", String(repeating: "ab", count: 64)] {
      func replaced(_ place: Int) throws -> [UInt8] {
        try changed(try signed(2)) { signatures in
          var signatures = signatures
          signatures[place] = .object(("keyid", signatures[place].member("keyid")), ("sig", .string(bad)))
          return signatures + [.object(("keyid", .string("unknown")), ("sig", .string(bad)))]
        }
      }
      try verify(try replaced(0), authority(1))
      try verify(try replaced(1), authority(1))
      expectError(.tufThreshold) { try verify(try replaced(0), authority(2)) }
    }
  }

  @Test("signatures in capital letters are read")
  func capitals() throws {
    let bytes = try changed(try signed(1)) { signatures in
      [
        .object(
          ("keyid", signatures[0].member("keyid")), ("sig", .string(signatures[0].text("sig")?.uppercased() ?? "")))
      ]
    }
    try verify(bytes, authority(1))
  }

  @Test("a signature by any other key does not count, and the message says which")
  func otherKey() throws {
    let stranger = try PrivateKey.generate(.ed25519)
    var draft = try MetadataDraft(timestamp())
    try draft.sign(with: stranger)
    let bytes = try changed(try draft.bytes()) { signatures in
      [.object(("keyid", .string(Self.ring.0.entries[0].name)), ("sig", signatures[0].member("sig")))]
    }
    let error = expectError(.tufThreshold) { try verify(bytes, authority(1)) }
    #expect(error?.found?.hasPrefix("0; the signature of key") == true)
  }

  @Test("every kind of key that can sign, signs and verifies", arguments: PrivateKey.Kind.allCases)
  func kinds(kind: PrivateKey.Kind) throws {
    let key = try PrivateKey(file: SecretBytes(Repository.bytes("keys/insecure-test-\(kind)"))) { nil }
    let object = try TUFKey(key.publicKey)
    var draft = try MetadataDraft(timestamp())
    try draft.sign(with: key)
    let ring = KeyRing([object])
    try verify(try draft.bytes(), authority(1, nil, ring))
    let other = try MetadataDraft(
      TimestampRole(version: 2, expires: SimulatedRepository.later, snapshot: FileFacts(version: 1)))
    let moved = try JSONReader.read(draft.bytes(), limits: .payload)
    let mixed = try ReadableJSON.write(
      .object(
        ("signatures", moved.member("signatures")),
        ("signed", try JSONReader.read(other.bytes(), limits: .payload).member("signed"))))
    expectError(.tufThreshold) { try verify(mixed, authority(1, nil, ring)) }
  }

  @Test("RSA keys of PKCS#1 v1.5 sign and verify by it, and not by PSS")
  func pkcs1() throws {
    let key = try PrivateKey(file: SecretBytes(Repository.bytes("keys/insecure-test-rsa2048"))) { nil }
    let object = try TUFKey(
      json: .object(
        ("keytype", .string("rsa")), ("scheme", .string("rsa-pkcs1v15-sha256")),
        ("keyval", .object(("public", .string(key.publicKey.pem))))))
    let message = Array("message".utf8)
    #expect(try object.verifies(try key.sign(message), over: message))
    #expect(try !object.verifies(try key.signPSS(message), over: message))
    #expect(try !TUFKey(key.publicKey).verifies(try key.sign(message), over: message))
  }

  @Test("signatures that were made on different machines are put together")
  func parts() throws {
    let first = try signed(1)
    var second = try MetadataDraft(continuing: UnverifiedMetadata<TimestampRole>(try changed(first) { _ in [] }))
    try second.sign(with: Self.ring.1[1])
    expectError(.tufThreshold) { try second.check(by: authority(2)) }
    #expect(try second.take(signaturesOf: UnverifiedMetadata<TimestampRole>(first), for: authority(2)) == 1)
    try second.check(by: authority(2))
    #expect(try second.take(signaturesOf: UnverifiedMetadata<TimestampRole>(first), for: authority(2)) == 0)
    // A signature that is not valid is not taken, and does not keep a valid one out.
    let spoiled = try changed(first) { objects in
      objects.map { object in
        .object(("keyid", object.member("keyid")), ("sig", .string(String(repeating: "00", count: 64))))
      }
    }
    var third = try MetadataDraft(continuing: UnverifiedMetadata<TimestampRole>(spoiled))
    #expect(try third.take(signaturesOf: UnverifiedMetadata<TimestampRole>(spoiled), for: authority(2)) == 0)
    #expect(try third.take(signaturesOf: UnverifiedMetadata<TimestampRole>(first), for: authority(2)) == 1)
    var other = timestamp()
    other.version = 2
    var draft = try MetadataDraft(other)
    expectError(.tufDraftStale) {
      _ = try draft.take(signaturesOf: UnverifiedMetadata<TimestampRole>(first), for: authority(2))
    }
    expectError(.keyUnsupported) { try draft.sign(with: Self.ring.1[0], as: TUFKey(Self.ring.1[1].publicKey)) }
  }

  @Test("a role may have many keys, but not more than a client checks in a moment", arguments: [9, 1000, 1001])
  func many(count: Int) throws {
    let known = Self.ring.0.entries.map(\.name)
    let ids = (0..<count - 3).map { "key\($0)" } + known
    var root = try SimulatedRepository().root
    root.timestamp = KeyThreshold(keyIDs: ids, threshold: 3)
    root.keys = KeyRing(members: ids.dropLast(3).map { JSONValue.Member($0, .integer(1)) } + Self.ring.0.entries)
    let file = try UnverifiedMetadata<RootRole>(try MetadataDraft(root).bytes())
    guard count <= 1000 else {
      expectError(.tufMalformed) { _ = try file.uncheckedRole() }
      return
    }
    try verify(try signed(3), try file.uncheckedRole().timestampAuthority)
    expectError(.tufThreshold) { try verify(try signed(2), try file.uncheckedRole().timestampAuthority) }
  }
}
