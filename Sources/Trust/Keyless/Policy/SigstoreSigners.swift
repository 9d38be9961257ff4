package import SignetBase
internal import SignetCrypto
internal import SignetNames
public import SignetVerify

/// The signers of an instance of Sigstore that a policy trusts: the field `sigstore` of an entry.
package struct SigstoreSigners: VouchedSigners {
  package static let field = "sigstore"

  private let source: Source
  private let root: SigstoreRoot
  private let expected: ExpectedSigner
  private let demands: KeylessDemands

  /// Where the trusted root comes from.
  package enum Source: Sendable {
    case instance(SigstoreInstance)
    /// The trusted root itself.
    case root(JSONValue)
  }

  /// The maximum number of identities of an entry.
  private static let identityLimit = 100
  /// As many logs and authorities can be demanded.
  private static let demandLimit = 8

  /// - Parameter demands: what must prove a signature; nil for what the instance gives.
  /// - Throws: `policy.entry` without identities, for one that is there twice, and for demands that prove no time;
  ///   `keyless.root`.
  package init(
    _ source: Source, _ expected: ExpectedSigner, demanding demands: KeylessDemands? = nil
  ) throws(SignetError) {
    self.source = source
    self.expected = expected
    var isKey = false
    switch expected {
    case .key: isKey = true
    case .identities(let identities):
      guard !identities.isEmpty, Set(identities).count == identities.count else {
        throw SignetError(
          .policyEntry, "sigstore", identities.isEmpty ? "names no identity" : "names an identity twice",
          expected: "one identity or more, each once")
      }
    }
    switch source {
    case .instance(let instance):
      root = try instance.root()
      self.demands = demands ?? (isKey ? .keyAndLog : instance.demands)
    case .root(let value):
      root = try SigstoreRoot(json: CanonicalJSON.write(value))
      self.demands = demands ?? (isKey ? .keyAndLog : .publicGood)
    }
    guard isKey || self.demands.entries + self.demands.timestamps > 0 else {
      throw SignetError(
        .policyEntry, "sigstore", "demands nothing that proves a time", expected: "an entry of a log, or a timestamp")
    }
  }

  package init(_ object: JSONObject) throws(SignetError) {
    var object = object
    let value = try object.required("root")
    let source: Source
    switch value.content {
    case .string(let name):
      guard let instance = SigstoreInstance(rawValue: name) else {
        throw object.wrong("root", "public-good, github, or a trusted root itself", name)
      }
      source = .instance(instance)
    case .object: source = .root(value)
    default: throw object.wrong("root", "public-good, github, or a trusted root itself", value.kind)
    }
    let expected: ExpectedSigner
    if object.has("key") {
      expected = .key(try object.key("key"))
    } else {
      var identities: [ExpectedIdentity] = []
      for each in try object.objects("identities", atMost: Self.identityLimit) {
        identities.append(try ExpectedIdentity(each))
      }
      expected = .identities(identities)
    }
    let demands = try Self.demands(&object)
    try object.finish()
    do throws(SignetError) {
      try self.init(source, expected, demanding: demands)
    } catch  where error.code == .keylessRoot || error.code == .policyEntry {
      throw error.about("\(object.place): \(error.object)")
    }
  }

  private static func demands(_ object: inout JSONObject) throws(SignetError) -> KeylessDemands? {
    guard let value = object.optional("demands") else { return nil }
    if case .string(let name) = value.content {
      guard let preset = KeylessDemands.presets.first(where: { $0.name.isExactly(name) }) else {
        throw object.wrong("demands", KeylessDemands.presets.map(\.name).joined(separator: ", "), name)
      }
      return preset.demands
    }
    var holder = try object.child(value, "demands")
    var counts: [Int] = []
    for name in ["logs", "timestamps", "certificateLogs"] {
      let count = holder.has(name) ? try holder.count(name) : 0
      guard count <= demandLimit else { throw holder.wrong(name, "at most \(demandLimit)", "\(count)") }
      counts.append(count)
    }
    try holder.finish()
    return KeylessDemands(entries: counts[0], timestamps: counts[1], promises: counts[2])
  }

  package var json: JSONValue {
    let root: JSONValue =
      switch source {
      case .instance(let instance): .string(instance.rawValue)
      case .root(let value): value
      }
    let demanded: JSONValue =
      KeylessDemands.presets.first { $0.demands == demands }.map { .string($0.name) }
      ?? .object(
        ("logs", .integer(demands.entries)), ("timestamps", .integer(demands.timestamps)),
        ("certificateLogs", .integer(demands.promises)))
    switch expected {
    case .key(let key):
      return .object(("root", root), ("key", .string(Base64.encode(key.der))), ("demands", demanded))
    case .identities(let identities):
      return .object(("root", root), ("identities", .array(identities.map(\.json))), ("demands", demanded))
    }
  }

  package var names: [String] {
    switch expected {
    case .key(let key): ["\(key)"]
    case .identities(let identities): identities.map { "\($0)" }
    }
  }

  package var description: String {
    let instance =
      switch source {
      case .instance(let instance): "Sigstore's instance \(instance.rawValue)"
      case .root: "an instance of Sigstore"
      }
    return "\(names.joined(separator: " or ")), proven by \(instance)"
  }

  package func judge(_ bundle: SigstoreBundle, at now: UnixTime) throws(SignetError) -> VouchedSignature {
    try judge(now) { () throws(SignetError) in (try KeylessBundle(bundle), []) }
  }

  package func judge(
    message text: [UInt8], at now: UnixTime, _ digest: (DigestAlgorithm) throws(SignetError) -> Digest
  ) throws(SignetError) -> VouchedSignature {
    try judge(now) { () throws(SignetError) in
      let bundle = try KeylessBundle(json: text)
      var digests: [Digest] = []
      for algorithm in bundle.digestAlgorithms(for: key) {
        // Of bytes that are elsewhere only one digest is known. It may be enough.
        do throws(SignetError) { digests.append(try digest(algorithm)) } catch  where error.code == .keylessSubject {
          continue
        }
      }
      return (bundle, digests)
    }
  }

  /// The key that is expected; nil where identities are.
  private var key: PublicKey? {
    if case .key(let key) = expected { key } else { nil }
  }

  /// - Parameter read: reads the bundle, and computes the digests of the bytes that it signs alone.
  private func judge(
    _ now: UnixTime, _ read: () throws(SignetError) -> (KeylessBundle, [Digest])
  ) throws(SignetError) -> VouchedSignature {
    let (claimed, digests): (KeylessBundle, [Digest])
    do throws(SignetError) { (claimed, digests) = try read() } catch {
      if error.code == .cryptoFailure || error.isAboutReading { throw error }
      return VouchedSignature(.broken(error), [(.bundle, .failed(error))])
    }
    var steps = KeylessProof.Steps()
    do throws(SignetError) {
      let (signer, identity, times) = try KeylessVerifier(root: root, demands: demands, now: now).verify(
        claimed, of: digests, by: expected, &steps)
      let proven = identity.map {
        ProvenIdentity(
          $0.identity, issuer: $0.issuer, claims: $0.claims.map { ($0.name, $0.text) }, times: times)
      }
      return VouchedSignature(
        .holds(key: signer.key, proven, path: nil, names: indices(of: identity)), steps.checks.map(Self.told))
    } catch {
      if error.code == .cryptoFailure { throw error }
      guard try isClaimed(by: claimed, of: digests), error.code != .chainUntrusted else {
        return VouchedSignature(.stranger(error), steps.checks.map(Self.told))
      }
      let failed: (Check.Step, Check.Outcome) = (Check.Step(steps.next), .failed(error))
      return VouchedSignature(.broken(error), steps.checks.map(Self.told) + [failed])
    }
  }

  /// Which of the names an identity counts as.
  private func indices(of found: CertifiedIdentity?) -> [Int] {
    guard case .identities(let identities) = expected, let found else { return [0] }
    return identities.indices.filter { identities[$0].matches(found) }
  }

  /// Whether a bundle claims to be by one of these signers: its certificate names one, or its key has signed.
  private func isClaimed(by bundle: KeylessBundle, of digests: [Digest]) throws(SignetError) -> Bool {
    switch (expected, bundle.signer) {
    case (.identities, .certificate(let leaf, _)):
      guard let found = try? CertifiedIdentity(leaf) else { return false }
      return !indices(of: found).isEmpty
    case (.key(let key), .key):
      do throws(SignetError) {
        try ClaimedSigner(bundle, .key(key)).check(bundle, of: digests)
        return true
      } catch {
        if error.code == .cryptoFailure { throw error }
        return false
      }
    case (.identities, .key), (.key, .certificate): return false
    }
  }

  /// A check as reports of verifications tell it.
  private static func told(_ check: KeylessProof.Check) -> (step: Check.Step, outcome: Check.Outcome) {
    switch check.outcome {
    case .passed(let found): (Check.Step(check.step), .passed(found))
    case .notDemanded: (Check.Step(check.step), .skipped("not demanded, and not established"))
    }
  }
}

extension EntryKind {
  /// Entries that trust identities, or keys whose signatures are in a log: the field `sigstore`.
  public static let sigstore = EntryKind(SigstoreSigners.self)
}

extension Check.Step {
  /// A step of a keyless verification, by its name in reports.
  init(_ step: KeylessProof.Step) {
    switch step {
    case .form: self = .bundle
    case .timestamps: self = .timestamps
    case .signature: self = .signature
    case .identity, .subject: self = .signer
    case .logEntry, .logPromise, .logInclusion, .chain, .certificateLog: self.init(rawValue: step.rawValue)
    }
  }
}
