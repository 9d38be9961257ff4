internal import ArgumentParser
internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

struct TrustRevokeCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke",
    abstract: "Revoke an artifact, a signer, or releases of a module.",
    discussion: """
      A file is revoked by its SHA-256, a directory by the SHA-256 of its listing. For an archive with signatures in \
      it, that is the digest without the signatures, so the archive stays revoked when signatures are added or \
      removed.

      Examples:
        signet trust revoke trust.json --file plugin.zip \\
            --reason 'leaks passwords'
        signet trust revoke trust.json --key publisher.pub \\
            --from 2026-05-01 --reason 'key was stolen'
        signet trust revoke trust.json \\
            --certificate-identity release@example.com \\
            --reason 'account was taken over'
        signet trust revoke trust.json --module com.example.plugin \\
            --versions '<1.4.3' --reason 'CVE-2026-1234'
      """)

  @Argument(help: "The policy.", completion: .file())
  var policy: String

  @Option(
    name: .long, help: ArgumentHelp("Revoke the content of this file or directory.", valueName: "path"),
    completion: .file())
  var file: String?

  @Option(
    name: .long,
    help: ArgumentHelp("Revoke this public key, or the one with this ID, also in certificates.", valueName: "key"),
    completion: .file())
  var key: String?

  @Option(
    name: .long, help: ArgumentHelp("Revoke this certificate, and its key with it.", valueName: "path"),
    completion: .file())
  var certificate: String?

  @Option(
    name: .long,
    help: ArgumentHelp("Revoke certificates with this serial number, as inspect shows it.", valueName: "hex"))
  var serial: String?

  @Option(
    name: .long, help: ArgumentHelp("With --serial: only this issuer's, as inspect shows it.", valueName: "name"))
  var issuer: String?

  @Option(
    name: .long,
    help: ArgumentHelp("Revoke this identity, exactly as in Sigstore's certificates.", valueName: "name"))
  var certificateIdentity: String?

  @Option(
    name: .long, help: ArgumentHelp("With --certificate-identity: only as this issuer's.", valueName: "uri"))
  var certificateOidcIssuer: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Revoke a signer from this time on: what a timestamp proves to be older stays valid. Default: whatever it has signed.",
      valueName: "time"))
  var from: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Revoke the artifact with this SHA-256, the first that signet digest prints.", valueName: "hex"))
  var sha256: String?

  @Option(
    name: .long, help: ArgumentHelp("Revoke the artifact with this fs-verity digest: sha256:…", valueName: "digest"))
  var fsverity: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Revoke releases of this module or host manifest, with --sequence or --versions.", valueName: "identifier"),
    transform: ModuleIdentifier.argument)
  var module: ModuleIdentifier?

  @Option(name: .long, help: ArgumentHelp("With --module: this release.", valueName: "number"))
  var sequence: Int?

  @Option(
    name: .long, help: ArgumentHelp("With --module: every release in this range, >=1.2.0 <1.4.3.", valueName: "range")
  )
  var versions: String?

  @Option(name: .long, help: ArgumentHelp("The reason, for people to read.", valueName: "text"))
  var reason: String

  @Option(
    name: .long,
    help: ArgumentHelp("The date of the revocation, for people to read. Default: now.", valueName: "time"))
  var date: String?

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    let things = [file, key, certificate, serial, certificateIdentity, sha256, fsverity, module?.description]
    guard things.compactMap(\.self).count == 1 else {
      throw ValidationError(
        "Give one of --file, --key, --certificate, --serial, --certificate-identity, --sha256, --fsverity and --module."
      )
    }
    if certificateIdentity == nil, certificateOidcIssuer != nil {
      throw ValidationError("--certificate-oidc-issuer goes with --certificate-identity.")
    }
    if from != nil, [key, certificate, serial, certificateIdentity].allSatisfy({ $0 == nil }) {
      throw ValidationError("--from goes with --key, --certificate, --serial and --certificate-identity.")
    }
    if let from, TimeArgument.start(from) == nil { throw ValidationError("--from takes \(TimeArgument.form).") }
    if issuer != nil && serial == nil { throw ValidationError("--issuer goes with --serial.") }
    guard (module == nil ? 0 : 1) == [sequence.map { "\($0)" }, versions].compactMap(\.self).count else {
      throw ValidationError("--module goes with --sequence or --versions, and they with it.")
    }
    try HostManifestOptions.checkSequence(sequence, "--sequence")
    if let versions, VersionRange(versions) == nil {
      throw ValidationError("--versions takes a range such as '>=1.2.0 <1.4.3'.")
    }
    if let sha256, Digest(.sha256, hex: sha256) == nil {
      throw ValidationError("--sha256 takes 64 lower-case hexadecimal digits.")
    }
    if let fsverity, FSVerityDigest(fsverity) == nil {
      throw ValidationError("--fsverity takes sha256: and 64 lower-case hexadecimal digits.")
    }
    if let date, TimeArgument.start(date) == nil {
      throw ValidationError("--date takes \(TimeArgument.form).")
    }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    // A policy for tests does not get worse by trusting less.
    let held = try PolicyFile(policy, allowTestKeys: true)
    let target = try target(console)
    let from = from.flatMap { TimeArgument.start($0) }
    if let present = held.policy.revocations.first(where: {
      $0.target == target && ($0.from == nil || $0.from == from)
    }) {
      try console.result("revoked already: \("\(present)".display)")
      if console.isJSON {
        try console.document(Report.document("trust revoke", [PolicyReport.json(policy, held.policy)], .done))
      }
      return .done
    }
    let date = date.flatMap { TimeArgument.start($0) } ?? SystemTime.now()
    let revocation = Revocation(target, reason: reason, date: date, from: from)
    // Its key may have another certificate.
    let key = try certificate.map { (path) throws(SignetError) in try TrustFile.certificate(path).publicKey().id }
    let ofKey = key.map { Revocation(.key($0), reason: reason, date: date, from: from) }
    let changed = try held.policy.with(
      held.policy.entries, revocations: held.policy.revocations + [revocation] + [ofKey].compactMap(\.self))
    try held.replace(with: changed)
    try console.result("revoked: \("\(revocation)".display)")
    for (entry, later) in Self.introduced(by: target, in: changed) {
      console.note(
        "warning: \(entry) still trusts the keys that this one has introduced: \(later.map { "\($0.id)" }.joined(separator: ", ")); revoke each that is not the signer's"
      )
    }
    if console.isJSON {
      try console.document(Report.document("trust revoke", [PolicyReport.json(policy, changed)], .done))
    }
    return .done
  }

  /// The keys that a revoked key has introduced, by the names of the entries that trust them.
  private static func introduced(
    by target: Revocation.Target, in policy: TrustPolicy
  ) -> [(entry: String, keys: [PublicKey])] {
    guard case .key(let id) = target else { return [] }
    return (policy.entries + (policy.summary?.signers ?? [])).compactMap { entry in
      let later = entry.succession?.keys.drop { $0.id != id }.dropFirst() ?? []
      return later.isEmpty ? nil : (entry.name, Array(later))
    }
  }

  private func target(_ console: Console) throws(SignetError) -> Revocation.Target {
    if let file {
      let input = try InputArtifact(opening: file)
      return try ProgressBar.show(file, size: input.size, console) { (counter) throws(SignetError) in
        try .content(of: input.artifact, progress: counter)
      }
    }
    if let key {
      if let id = KeyID(key) { return .key(id) }
      return .key(try NamedKey(key).publicKey().id)
    }
    if let certificate {
      let certificate = try TrustFile.certificate(certificate)
      return .certificate(serial: certificate.serialNumber, issuer: certificate.issuer.description)
    }
    if let serial { return .certificate(serial: serial, issuer: issuer) }
    if let certificateIdentity {
      return .identity(certificateIdentity, issuer: certificateOidcIssuer)
    }
    if let digest = sha256.flatMap({ Digest(.sha256, hex: $0) }) { return .sha256(digest) }
    if let digest = fsverity.flatMap({ FSVerityDigest($0) }) { return .fsverity(digest) }
    guard let module else {
      throw SignetError(.policyEntry, policy, "has nothing to revoke", expected: "one thing to revoke")
    }
    if let range = versions.flatMap({ VersionRange($0) }) { return .versions(module, range) }
    return .sequence(module, sequence ?? 1)
  }
}
