import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import SignetArchive
@testable import SignetModules
@testable import SignetSigning
@testable import SignetVerify
@testable import TrustTestSupport

@Suite struct ModuleVerificationTests {
  private func codes<Proof>(_ verdict: Verdict<Proof>) -> [String] {
    switch verdict {
    case .verified: ["verified"]
    case .refused(let refusal): refusal.reasons.map(\.code.rawValue)
    }
  }

  @Test("a module is verified by its detached and by its attached signature alike")
  func both() throws {
    let signed = try SignedModule()
    let attached = try SignedModule.attach([signed.bundle], to: signed.archive)
    for (archive, bundles) in [
      (signed.archive, [signed.bundle]), (attached, []), (attached, [signed.bundle]),
    ] {
      let proof = try SignedModule.verify(archive, bundles, [signed.key]).get()
      #expect(proof.module.identifier.description == "com.example.player")
      #expect(proof.module.sequence == 7)
      #expect("\(proof)".hasPrefix("com.example.player 1.2.3, sequence 7, signed by SHA256:"))
      #expect(proof.contents.entries.map(\.path) == ["assets/a", "module.json"])
      #expect(proof.fsverity == (try FSVerityDigest(of: signed.archive)))
      #expect(proof.sha256 == nil)
      #expect(proof.signatures.count == 1)
      let whole = try SignedModule.verify(
        archive, bundles, [signed.key], .module(nil, named: "m").establishingBothDigests()
      ).get()
      #expect(whole.sha256 == (try Digest.of(signed.archive, .sha256)))
    }
  }

  @Test("without its block a module is unsigned, with a damaged one it is refused, whatever lies beside it")
  func stripped() throws {
    let signed = try SignedModule()
    #expect(codes(try SignedModule.verify(signed.archive, [], [signed.key])) == ["signature.missing"])
    let attached = try SignedModule.attach([signed.bundle], to: signed.archive)
    let block = try #require(
      try ArchiveFile(BytesInMemory(attached, path: "m"), limits: ArchiveLimits()).block)
    for index in Array(block.range.prefix(20)) + Array(block.range.suffix(24)) {
      var damaged = attached
      damaged[index] ^= 1
      #expect(codes(try SignedModule.verify(damaged, [], [signed.key])) == ["signature.malformed"], "byte \(index)")
      #expect(codes(try SignedModule.verify(damaged, [signed.bundle], [signed.key])) == ["signature.malformed"])
    }
  }

  @Test(
    "no byte of a signed module can be changed, added or taken away, with or without a good bundle beside it", .slow)
  func everyByte() throws {
    let signed = try SignedModule()
    let attached = try SignedModule.attach([signed.bundle], to: signed.archive)
    for index in attached.indices {
      let replacements: [[UInt8]] = [
        [attached[index] ^ 0x01], [attached[index] ^ 0x20], [], [0, attached[index]],
        [attached[index], attached[index]],
      ]
      for replacement in Extent.sample(of: replacements, oneOf: 5, from: index) {
        var changed = attached
        changed.replaceSubrange(index...index, with: replacement)
        let alone = codes(try SignedModule.verify(changed, [], [signed.key]))
        #expect(alone != ["verified"], "byte \(index)")
        let beside = codes(try SignedModule.verify(changed, [signed.bundle], [signed.key]))
        #expect(beside != ["verified"], "byte \(index), with a bundle beside it")
      }
    }
    for longer in [attached + [0], [0] + attached, attached + attached] {
      #expect(codes(try SignedModule.verify(longer, [signed.bundle], [signed.key])) != ["verified"])
    }
  }

  /// An archive with a comment in its end record, or with the end records that ZIP64 has beside it.
  private static func odd(_ archive: [UInt8], isZIP64: Bool) -> [UInt8] {
    var end = Array(archive.suffix(22))
    guard isZIP64 else {
      end[20] = 4
      return Array(archive[..<(archive.count - 22)]) + end + Array("said".utf8)
    }
    func long(_ field: ArraySlice<UInt8>) -> [UInt8] { field + [UInt8](repeating: 0, count: 8 - field.count) }
    var record: [UInt8] = [0x50, 0x4b, 6, 6] + long([44]) + [45, 3, 45, 0] + long([])
    record += long(end[8..<10]) + long(end[10..<12]) + long(end[12..<16]) + long(end[16..<20])
    let place = UInt32(archive.count - 22).littleEndian
    let locator =
      [0x50, 0x4b, 6, 7, 0, 0, 0, 0] + long(withUnsafeBytes(of: place) { Array($0) }[...]) + [1, 0, 0, 0]
    return Array(archive[..<(archive.count - 22)]) + record + locator + end
  }

  @Test(
    "nor can any outside of the bundle where the archive has a comment or ZIP64's end records", .slow,
    arguments: [false, true])
  func everyByteOfOthers(isZIP64: Bool) throws {
    let archive = Self.odd(try SignedModule().archive, isZIP64: isZIP64)
    let key = try SignedModule.key()
    let bundle = try Signer(key).sign(
      module: .bytes(archive), Signer.ModuleClaims(name: "m.zip", signedAt: SignedModule.time))
    let attached = try SignedModule.attach([bundle], to: archive)
    #expect(codes(try SignedModule.verify(attached, [], [key.publicKey])) == ["verified"])
    #expect(try AttachedArchive.detaching(from: .bytes(attached)).size == archive.count)
    let block = try #require(try ArchiveFile(BytesInMemory(attached, path: "m"), limits: ArchiveLimits()).block)
    for index in Array(0...block.value.lowerBound) + Array(block.value.upperBound - 1..<attached.count) {
      let replacements: [[UInt8]] = [[attached[index] ^ 0x01], [attached[index] ^ 0x80], [], [0, attached[index]]]
      for replacement in Extent.sample(of: replacements, oneOf: 4, from: index) {
        var changed = attached
        changed.replaceSubrange(index...index, with: replacement)
        #expect(codes(try SignedModule.verify(changed, [bundle], [key.publicKey])) != ["verified"], "byte \(index)")
      }
    }
    for longer in [attached + [0], [0] + attached, archive + attached, attached + archive] {
      #expect(codes(try SignedModule.verify(longer, [bundle], [key.publicKey])) != ["verified"])
    }
  }

  @Test("a block that is moved to another archive refuses it")
  func grafted() throws {
    let signed = try SignedModule()
    let other = try SignedModule("z.writestr('module.json', m)\nz.writestr('assets/a', 'y' * 99, 8)")
    let grafted = try SignedModule.attach([signed.bundle], to: other.archive)
    #expect(codes(try SignedModule.verify(grafted, [], [signed.key])) == ["digest.mismatch"])
    // Neither does a file's signature over the raw bytes of the archive with its block do.
    let attached = try SignedModule.attach([signed.bundle], to: signed.archive)
    let file = try Signer(SignedModule.key()).sign(
      .bytes(attached), Signer.FileClaims(name: "m.zip", signedAt: SignedModule.time))
    #expect(codes(try SignedModule.verify(attached, [file], [signed.key])).contains("statement.predicate-type"))
  }

  @Test("a second signer attaches beside the first; of a repeated or renamed line nothing is accepted")
  func several() throws {
    let signed = try SignedModule()
    let signer = try Signer(SignedModule.key("p256"))
    let second = try signer.addSignature(
      to: [signed.bundle], ofModule: .bytes(signed.archive), named: "other.zip", at: SignedModule.time)
    let attached = try SignedModule.attach([signed.bundle, second], to: signed.archive)
    let proof = try SignedModule.verify(attached, [], [signed.key, signer.publicKey]).get()
    #expect(proof.signatures.count == 2)
    let twice = try SignedModule.attach([signed.bundle, signed.bundle], to: signed.archive)
    #expect(codes(try SignedModule.verify(twice, [], [signed.key])) == ["signature.malformed"])
    let other = try SignedModule(
      "z.writestr('module.json', m)\nz.writestr('assets/a', 'x' * 99, 8)\nz.writestr('b', '')", "p256")
    let mixed = try SignedModule.attach([signed.bundle, other.bundle], to: signed.archive)
    #expect(codes(try SignedModule.verify(mixed, [], [signed.key])) == ["signature.malformed"])
  }

  @Test("who may not speak for the module in the statement is refused, whatever the file is called")
  func scope() throws {
    let signed = try SignedModule()
    func policy(_ pattern: String) throws -> TrustPolicy {
      let scope = TrustScope(modules: [try #require(ModulePattern(pattern))])
      return try TrustPolicy(
        entries: [TrustEntry("publisher", .key(signed.key), scope: scope)], allowsTestKeys: true)
    }
    func verdict(_ pattern: String, _ expected: String? = nil) throws -> [String] {
      codes(
        try Verifier(policy: policy(pattern), clock: .fixed(SignedModule.time)).verify(
          .bytes(signed.archive), signatures: .bytes([signed.bundle.canonicalBytes()]),
          expecting: .module(expected.flatMap { ModuleIdentifier($0) }, named: "m.zip")))
    }
    #expect(try verdict("com.example.player") == ["verified"])
    #expect(try verdict("com.example.*", "com.example.player") == ["verified"])
    #expect(try verdict("com.example.other") == ["signer.out-of-scope"])
    #expect(try verdict("com.example.other", "com.example.other") == ["signer.out-of-scope"])
    #expect(try verdict("**", "com.example.other") == ["module.identifier-mismatch"])
  }

  @Test("exactly those have to sign whose scopes have the module, also if its archive alone says which one it is")
  func exact() throws {
    let signed = try SignedModule()
    let other = try PrivateKey.generate(.ed25519)
    func verdict(_ pattern: String, _ expected: ModuleIdentifier?) throws -> [String] {
      var terms = TrustPolicy.Terms()
      terms.requirement = .exact
      let entries = try [
        TrustEntry("one", .key(signed.key), scope: .everything),
        TrustEntry(
          "other", .key(other.publicKey), scope: TrustScope(modules: [#require(ModulePattern(pattern))])),
      ]
      let policy = try TrustPolicy(entries: entries, terms: terms, allowsTestKeys: true)
      return codes(
        try Verifier(policy: policy, clock: .fixed(SignedModule.time)).verify(
          .bytes(signed.archive), signatures: .bytes([signed.bundle.canonicalBytes()]),
          expecting: .module(expected, named: "m.zip")))
    }
    for expected in [nil, ModuleIdentifier("com.example.player")] {
      #expect(try verdict("com.other.**", expected) == ["verified"])
      #expect(try verdict("com.example.**", expected) == ["policy.exact"])
    }
  }

  @Test("a statement that describes another module than the archive does is refused")
  func otherDescription() throws {
    func verdict(_ description: String, of signed: SignedModule) throws -> [String] {
      let statement = try Statement(payload: signed.bundle.envelope.payload)
      let predicate = try #require(statement.module)
      return try forged(description, predicate.contents, predicate.archive, statement.subjectDigest, signed.archive)
    }
    func forged(
      _ description: String, _ contents: ModuleContents, _ archive: ModulePredicate.Archive, _ digest: Digest,
      _ bytes: [UInt8]
    ) throws -> [String] {
      let predicate = ModulePredicate(
        module: try ModuleDescription(json: Array(description.utf8)), contents: contents, archive: archive,
        minimumSequence: nil, signers: nil, signedAt: SignedModule.time, notAfter: nil)
      let key = try SignedModule.key()
      let bundle = try Signer(key).sign(Statement(module: "m.zip", digest: digest, predicate))
      return codes(try SignedModule.verify(bytes, [bundle], [key.publicKey]))
    }
    let signed = try SignedModule()
    #expect(try verdict(SignedModule.description, of: signed) == ["verified"])
    for (part, other) in [("player", "bank"), (": 7", ": 8"), ("[\"assets\"]", "[]")] {
      let description = SignedModule.description.replacing(part, with: other)
      #expect(try verdict(description, of: signed) == ["module.contents-mismatch"], "\(other)")
    }
    // What the archive has need not be a description at all, or not be there.
    for (script, code) in [
      ("z.writestr('module.json', '{')", "module.contents-mismatch"),
      ("z.writestr('module.json', m.replace('assets', '../a'))", "module.contents-mismatch"),
      ("z.writestr('Module', m)", "module.missing-file"),
    ] {
      let bytes = try SignedModule.zip(script + "\nz.writestr('assets/a', 'x')")
      let archive = try ArchiveFile(BytesInMemory(bytes, path: "m.zip"), limits: ArchiveLimits())
      let opened = try archive.open()
      let (whole, digests) = try ArchiveHasher.digests(archive, opened, progress: nil)
      let found = try forged(
        SignedModule.description, ModuleContents(opened.entries, digests),
        .init(format: .zip, size: whole.size, fsverity: whole.fsverity), whole.sha256, bytes)
      #expect(found == [code], "\(script)")
    }
  }

  @Test("a host that takes less than the formats allow says how much")
  func limits() throws {
    let signed = try SignedModule()
    let policy = try TrustPolicy(trusting: [signed.key], allowsTestKeys: true)
    func verdict(_ change: (inout ArchiveLimits) -> Void) throws -> [String] {
      var limits = ArchiveLimits()
      change(&limits)
      return codes(
        try Verifier(policy: policy, clock: .fixed(SignedModule.time), limits: limits).verify(
          .bytes(signed.archive), signatures: .bytes([signed.bundle.canonicalBytes()]),
          expecting: .module(nil, named: "m.zip")))
    }
    let size = SignedModule.description.utf8.count
    // Two files, one of them in a directory.
    #expect(try verdict { $0.entries = 3 } == ["verified"])
    #expect(try verdict { $0.entries = 2 } == ["archive.entry-count"])
    #expect(try verdict { $0.fileSize = 99 } == ["verified"])
    #expect(try verdict { $0.fileSize = 98 } == ["archive.size"])
    #expect(try verdict { $0.totalSize = size + 99 } == ["verified"])
    #expect(try verdict { $0.totalSize = size + 98 } == ["archive.size"])
    #expect(try verdict { $0.directorySize = 10 } == ["archive.size"])
    #expect(
      try verdict {
        $0.ratio = 2; $0.ratioGrace = 0
      } == ["archive.ratio"])
  }

  @Test("floors and revoked releases of the policy refuse a module")
  func floors() throws {
    let signed = try SignedModule()
    let module = try #require(ModuleIdentifier("com.example.player"))
    func verdict(_ change: (inout TrustPolicy.Terms) throws -> Void) throws -> [String] {
      var terms = TrustPolicy.Terms()
      try change(&terms)
      let policy = try TrustPolicy(
        entries: [TrustEntry("publisher", .key(signed.key), scope: .everything)], terms: terms,
        allowsTestKeys: true)
      return codes(
        try Verifier(policy: policy, clock: .fixed(SignedModule.time)).verify(
          .bytes(signed.archive), signatures: .bytes([signed.bundle.canonicalBytes()]),
          expecting: .module(nil, named: "m.zip")))
    }
    #expect(try verdict { $0.floors[module] = 7 } == ["verified"])
    #expect(try verdict { $0.floors[module] = 8 } == ["policy.rollback"])
    #expect(try verdict { $0.revocations = [Revocation(.sequence(module, 7), reason: "x")] } == ["policy.revoked"])
    #expect(
      try verdict {
        $0.revocations = [Revocation(.versions(module, try #require(VersionRange("<2.0.0"))), reason: "x")]
      } == ["policy.revoked"])
    let flat = try Digest.of(signed.archive, .sha256)
    #expect(try verdict { $0.revocations = [Revocation(.sha256(flat), reason: "x")] } == ["policy.revoked"])
    // With the signature in it the archive has two digests, and either will do.
    let attached = try SignedModule.attach([signed.bundle], to: signed.archive)
    for digest in [flat, try Digest.of(attached, .sha256)] {
      var terms = TrustPolicy.Terms()
      terms.revocations = [Revocation(.sha256(digest), reason: "x")]
      let policy = try TrustPolicy(
        entries: [TrustEntry("publisher", .key(signed.key), scope: .everything)], terms: terms, allowsTestKeys: true)
      let verdict = try Verifier(policy: policy, clock: .fixed(SignedModule.time)).verify(
        .bytes(attached), signatures: .absent, expecting: .module(nil, named: "m.zip"))
      #expect(codes(verdict) == ["policy.revoked"])
    }
    #expect(
      codes(
        try SignedModule.verify(
          signed.archive, [signed.bundle], [signed.key], .module(nil, leastSequence: 8, named: "m")))
        == ["policy.rollback"])
  }
}
