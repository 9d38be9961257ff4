package import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// No file holds a private key.
package struct PrivateKeyRule: LiteralRule, DigestRule {
  package static let about = RuleDescription(
    "private-key", "No file holds a private key",
    help: """
      A private key lets anybody sign, log in or decrypt in the name of its owner, and what is published cannot be \
      called back. Keys are found in PEM, DER, OpenSSH, OpenPGP, PuTTY, age, minisign, signify and cosign files, as JSON \
      Web Keys, in PKCS #12 and Java key stores of up to 64 KiB, and in the texts of programs, also in UTF-16 and in \
      base64, as secrets of Kubernetes have them. Remove the key, build the release again, and \
      replace the key everywhere it was used. An encrypted key is a finding, too, because only its passphrase protects \
      it from then on. Tests that need a key should make one when they run. \
      Keys that are known to be for tests can be named in the policy by where they are, or by the SHA-256 of the file \
      that holds them: other keys are still found then.
      """,
    options: [
      (
        "allow",
        "the files that may hold keys which are known to be for tests: patterns of artifacts and entries, such as "
          + "tests/*.key, or digests of files, such as sha256: and 64 digits"
      )
    ], .error)

  private let allowed: AllowedPlaces
  private let allowedFiles: Set<Digest>

  /// - Throws: `json.wrong-value` for something that is neither a pattern nor a digest.
  package init(_ options: inout RuleOptions) throws(SignetError) {
    var (patterns, digests): ([PathPattern], Set<Digest>) = ([], [])
    let mark = "sha256:"
    _ = try options.values("allow", "patterns such as tests/*.key, or sha256: and 64 digits") { (text) -> Bool? in
      guard text.utf8.starts(with: mark.utf8) else {
        guard let pattern = PathPattern(text) else { return nil }
        patterns.append(pattern)
        return true
      }
      guard
        let digest = Digest(
          .sha256, hex: String(decoding: Array(text.utf8.dropFirst(mark.utf8.count)), as: UTF8.self))
      else { return nil }
      digests.insert(digest)
      return true
    }
    allowed = AllowedPlaces(patterns)
    allowedFiles = digests
  }

  package var wantsDigests: Bool { !allowedFiles.isEmpty }

  /// What a key is recognized by.
  private enum Mark: CaseIterable {
    case pem
    case pgp
    case ssh2
    case putty
    case minisign
    case unencryptedMinisign
    case signify
    case age
    case jwk
    case lenientJWK

    var literal: String {
      switch self {
      case .pem: "PRIVATE KEY-----"
      case .pgp: "PRIVATE KEY BLOCK-----"
      case .ssh2: "PRIVATE KEY ----"
      case .putty: "PuTTY-User-Key-File-"
      case .minisign: SignatureToolKey.minisign
      case .unencryptedMinisign: SignatureToolKey.unencryptedMinisign
      case .signify: SignatureToolKey.signify
      case .age: AgeKey.literal
      case .jwk: JSONWebKey.literal
      case .lenientJWK: JSONWebKey.lenientLiteral
      }
    }

    /// The forms in which it is looked for besides its own.
    ///
    /// In base64, only what a secret of Kubernetes usually is: a file of keys that services read.
    var disguises: [Disguise] {
      switch self {
      case .pem, .pgp, .ssh2, .age: Disguise.all
      case .putty, .minisign, .unencryptedMinisign, .signify, .jwk, .lenientJWK: [.none, .utf16]
      }
    }

    /// - Parameter near: how many of the bytes before the match are in the same block of what is searched.
    func look(_ match: ContentMatch, near: Int) -> KeyLook {
      if self == .jwk || self == .lenientJWK { return JSONWebKey.look(match, near: near) }
      return key(match).map { .key($0) } ?? .nothing
    }

    private func key(_ match: ContentMatch) -> FoundKey? {
      switch self {
      case .pem, .pgp: ArmoredKey.pem(match, literal)
      case .ssh2: ArmoredKey.ssh2(match, literal)
      case .putty: PuTTYKey.found(match, literal)
      case .minisign: SignatureToolKey.found(match, "minisign", size: 158, isEncrypted: true)
      case .unencryptedMinisign: SignatureToolKey.found(match, "minisign", size: 158, isEncrypted: false)
      case .signify: SignatureToolKey.found(match, "signify", size: 104, isEncrypted: nil)
      case .age: AgeKey.found(match)
      case .jwk, .lenientJWK: nil
      }
    }
  }

  /// Every mark in each of its forms, in the order of ``literals``.
  private static let forms: [(mark: Mark, disguise: Disguise)] = Mark.allCases.flatMap { mark in
    mark.disguises.map { (mark, $0) }
  }

  package var literals: [[UInt8]] { Self.forms.map { $0.disguise.literal(of: $0.mark.literal) } }

  package func reach(of literal: Int) -> ContentMatch.Reach {
    switch Self.forms[literal].mark {
    case .jwk, .lenientJWK: .wide
    default: .usual
    }
  }

  package func check(
    _ match: ContentMatch, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) -> ContentMatch.Answer {
    guard Self.forms.indices.contains(match.literal) else { return .done }
    let (mark, disguise) = Self.forms[match.literal]
    let near = match.position % JSONWebKey.blockSize / (disguise == .utf16 ? 2 : 1)
    // Only the beginning of a mark was looked for.
    guard let plain = disguise.revealed(match), plain.after.starts(with: mark.literal.utf8) else { return .done }
    switch mark.look(plain, near: near) {
    case .nothing: return .done
    case .unclear(let extent): return .wants(extent)
    case .key(let key):
      // Most marks are no keys, and need no look at the policy.
      guard !allowed.cover(match.entry, in: artifact.path) else { return .done }
      let found = FoundKey(
        words: key.words + disguise.words, isEncrypted: key.isEncrypted,
        offset: key.offset.map { disguise.offset($0, from: match) })
      note(found, verb: "holds", entry: match.entry, reading: match.reading, &findings)
      return .done
    }
  }

  package func check(
    _ file: ContentFile, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) throws(SignetError) {
    if let digest = file.sha256, allowedFiles.contains(digest) { return findings.withdraw(reading: file.reading) }
    guard !allowed.cover(file.entry, in: artifact.path) else { return }
    guard file.head.count >= 16, KeyStore.mayBegin(file.head) else { return }
    var bytes = file.head
    if file.size > bytes.count, file.size <= ContentFile.smallSize, let source = file.source {
      bytes = try source.bytes(in: 0..<min(source.size, ContentFile.smallSize))
    }
    if let key = KeyStore.key(in: bytes, size: file.size) {
      note(key, verb: "is a key store with", entry: file.entry, reading: file.reading, &findings)
    } else if bytes.count == file.size, let structure = KeyStructure(der: bytes) {
      let key = FoundKey(words: "\(structure.words) in DER", isEncrypted: structure == .encryptedPKCS8, offset: nil)
      note(key, verb: "is", entry: file.entry, reading: file.reading, &findings)
    }
  }

  private func note(
    _ key: FoundKey, verb: String, entry: String?, reading: Int, _ findings: inout RuleFindings
  ) {
    findings.note(
      "\(verb) \(key.isEncrypted ? "an encrypted" : "a") private key", entry: entry, reading: reading,
      place: key.offset.map { "offset \($0)" }, expected: "no private keys", found: key.words,
      hint: key.isEncrypted
        ? "remove it, build the release again, and replace the key: only a passphrase protects it"
        : "remove it, build the release again, and replace the key")
  }
}
