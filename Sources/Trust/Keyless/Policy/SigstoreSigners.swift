package import SignetBase
internal import SignetCMS
internal import SignetCrypto
internal import SignetNames
public import SignetVerify

/// The signers of an instance of Sigstore that a policy trusts: the field `sigstore` of an entry.
package struct SigstoreSigners: VouchedSigners {
  package static let field = "sigstore"

  private let sources: [Source]
  /// The roots that do not come with Signet, in the places of their sources. The others are read when they are needed.
  private let own: [SigstoreRoot?]
  private let expected: ExpectedSigner
  /// What must prove a signature; nil for what each instance gives.
  private let demands: KeylessDemands?

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

  /// As many instances can be named.
  private static let sourceLimit = 8

  /// - Parameters:
  ///   - sources: the instances, any of which may prove a signature; one or more.
  ///   - demands: what must prove a signature; nil for what each instance gives.
  /// - Throws: `policy.entry` without instances or identities, for an identity that is there twice or cannot be certified,
  ///   and for demands that prove no time; `keyless.root`.
  package init(
    _ sources: [Source], _ expected: ExpectedSigner, demanding demands: KeylessDemands? = nil
  ) throws(SignetError) {
    self.sources = sources
    self.expected = expected
    self.demands = demands
    func refuse(_ what: String, _ expected: String) -> SignetError {
      SignetError(.policyEntry, "sigstore", what, expected: expected)
    }
    guard (1...Self.sourceLimit).contains(sources.count) else {
      throw refuse("names no instance, or too many", "1 to \(Self.sourceLimit)")
    }
    if case .identities(let identities) = expected {
      guard !identities.isEmpty, Set(identities).count == identities.count else {
        throw refuse(
          identities.isEmpty ? "names no identity" : "names an identity twice", "one identity or more, each once")
      }
      let isPublic = sources.allSatisfy { if case .instance(.publicGood) = $0 { true } else { false } }
      guard !isPublic || !identities.contains(where: \.isWithoutIssuer) else {
        throw refuse(
          "names an identity without its issuer, which public-good certifies always", "identity and issuer")
      }
      guard demands.map({ $0.entries + $0.timestamps > 0 }) ?? true else {
        throw refuse("demands nothing that proves a time", "an entry of a log, or a timestamp")
      }
    }
    var own: [SigstoreRoot?] = []
    for source in sources {
      switch source {
      case .instance: own.append(nil)
      case .root(let value): own.append(try SigstoreRoot(json: CanonicalJSON.write(value)))
      }
    }
    self.own = own
  }

  package init(_ object: JSONObject) throws(SignetError) {
    var object = object
    let value = try object.required("root")
    var sources: [Source] = []
    var list = [value]
    if case .array(let several) = value.content { list = several }
    for each in list {
      switch each.content {
      case .string(let name):
        guard let instance = SigstoreInstance(rawValue: name) else {
          throw object.wrong("root", "public-good, github, or a trusted root itself", name)
        }
        sources.append(.instance(instance))
      case .object: sources.append(.root(each))
      default: throw object.wrong("root", "public-good, github, or a trusted root itself", each.kind)
      }
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
      try self.init(sources, expected, demanding: demands)
    } catch  where error.code == .keylessRoot {
      throw error.about("\(object.place): \(error.object)")
    }
  }

  /// The verifier of an instance.
  private func verifier(_ index: Int, at now: UnixTime) throws(SignetError) -> KeylessVerifier {
    let usual: KeylessDemands
    let root: SigstoreRoot
    switch (sources[index], own[index]) {
    case (.instance(let instance), _): (root, usual) = (try instance.root(), instance.demands)
    case (.root, let known?): (root, usual) = (known, .publicGood)
    case (.root(let value), nil): (root, usual) = (try SigstoreRoot(json: CanonicalJSON.write(value)), .publicGood)
    }
    return KeylessVerifier(root: root, demands: demands ?? (key == nil ? usual : .keyAndLog), now: now)
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
    let roots = sources.map { source in
      switch source {
      case .instance(let instance): JSONValue.string(instance.rawValue)
      case .root(let value): value
      }
    }
    let demanded: JSONValue? = demands.map { demands in
      KeylessDemands.presets.first { $0.demands == demands }.map { .string($0.name) }
        ?? .object(
          ("logs", .integer(demands.entries)), ("timestamps", .integer(demands.timestamps)),
          ("certificateLogs", .integer(demands.promises)))
    }
    let root = roots.count == 1 ? roots[0] : .array(roots)
    switch expected {
    case .key(let key):
      return .object(("root", root), ("key", .string(Base64.encode(key.der))), ("demands", demanded))
    case .identities(let identities):
      return .object(("root", root), ("identities", .array(identities.map(\.json))), ("demands", demanded))
    }
  }

  package var keys: [PublicKey] { [key].compactMap(\.self) }

  package var names: [String] {
    switch expected {
    case .key(let key): ["\(key)"]
    case .identities(let identities): identities.map { "\($0)" }
    }
  }

  package var advice: [(topic: String, message: String)] {
    guard case .identities(let identities) = expected else { return [] }
    return identities.compactMap(\.workflow).filter { $0.ref == nil && $0.commit == nil }.map { workflow in
      ("any-ref", "trusts \(workflow), whatever branch or tag they have built: --tag accepts releases alone")
    }
  }

  package var description: String {
    let who = names.joined(separator: " or ")
    if demands == .key { return who }
    let instances = sources.map { source in
      switch source {
      case .instance(let instance): instance.rawValue
      case .root: "an instance of its own"
      }
    }
    return "\(who), proven by Sigstore (\(instances.joined(separator: " or ")))"
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
    var best: VouchedSignature?
    for index in sources.indices {
      let judged = try judge(claimed, digests, by: verifier(index, at: now))
      switch (judged.outcome, best?.outcome) {
      case (.holds, _): return judged
      // Of several instances, the one that most of the bundle is by tells why it is refused.
      case (.broken, .broken) where judged.checks.count <= best?.checks.count ?? 0: break
      case (.stranger, .stranger) where judged.checks.count <= best?.checks.count ?? 0: break
      case (.stranger, .broken): break
      case (.broken, _), (.stranger, _): best = judged
      }
    }
    return best ?? VouchedSignature(.stranger(SignetError(.keylessSigner, "bundle", "is by nobody")), [])
  }

  private func judge(
    _ claimed: KeylessBundle, _ digests: [Digest], by verifier: KeylessVerifier
  ) throws(SignetError) -> VouchedSignature {
    var steps = KeylessProof.Steps()
    do throws(SignetError) {
      let signer = try verifier.verify(claimed, of: digests, by: expected, &steps)
      let proven = signer.identity.map { identity in
        ProvenIdentity(
          identity.identity, issuer: identity.issuer, holder: identity.holder,
          claims: identity.claims.map { ($0.name, $0.text) }, times: signer.times)
      }
      return VouchedSignature(
        .holds(key: signer.key, proven, path: signer.path, names: indices(of: signer.identity)),
        steps.checks.map(Self.told))
    } catch {
      if error.code == .cryptoFailure { throw error }
      var error = error
      if [.chainUntrusted, .timestampAuthority].contains(error.code)
        || error.code == .keylessEntry && steps.next == .logEntry && !claimed.entries.isEmpty
      {
        error.hint = "if another instance of Sigstore has proven it, name that one: --sigstore ROOT.json"
      }
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

extension PolicyPart {
  /// Entries that trust identities, or keys whose signatures are in a log: the field `sigstore`.
  public static let sigstore = PolicyPart.entries(EntryKind(SigstoreSigners.self))
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
