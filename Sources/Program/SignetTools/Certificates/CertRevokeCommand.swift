internal import ArgumentParser
internal import CertificateAuthority
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetCrypto
internal import SignetFiles
internal import SignetSystem

/// A reason, by its own name.
extension RevocationReason: ExpressibleByArgument {}

struct CertRevokeCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke",
    abstract: "Revoke a certificate, and write the revocation list.",
    discussion: """
      Notes the revocation, and writes the authority's revocation list to crl.pem in its folder. Verifiers that have the \
      new list in their policy refuse the certificate's signatures. If the key was stolen, say so, and since when: what a \
      timestamp proves to be older stays valid.

      Examples:
        signet cert revoke team alice.pem --reason key-compromise \\
            --since 2026-05-01
        signet cert revoke team bob.pem --reason superseded
      """)

  @Argument(help: "The authority's folder.", completion: .directory)
  var folder: String

  @Argument(help: "The certificate, or its serial number.", completion: .file())
  var certificate: String

  @Option(name: .long, help: "Why it is revoked.")
  var reason: RevocationReason

  @Option(
    name: .long,
    help: ArgumentHelp("With key-compromise: since when the key may be somebody else's.", valueName: "time"))
  var since: String?

  @OptionGroup var list: RevocationListOptions

  @OptionGroup var passphrase: PassphraseOptions

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    if let since, TimeArgument.start(since) == nil { throw ValidationError("--since takes \(TimeArgument.form).") }
    if since != nil && reason != .keyCompromise {
      throw ValidationError("--since goes with --reason key-compromise.")
    }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.making("cert revoke", about: certificate, on: console) { (run) throws(SignetError) in
      let place = AuthorityFolder(path: folder)
      let lock = try place.lock()
      defer { withExtendedLifetime(lock) {} }
      var authority = try place.read()
      let serial = try self.serial(in: authority)
      let revoked = try authority.revoke(
        serial, reason, since: since.flatMap { TimeArgument.start($0) }, at: SystemTime.now())
      try list.write(&authority, place, passphrase)
      let written = list.out ?? place.list
      let verdict = revoked.isEmpty ? "already revoked" : "revoked"
      let name = authority.issued[serial: serial]?.name ?? serial
      try run.did(
        .object(
          ("file", .string(certificate)), ("verdict", .string(revoked.isEmpty ? "already-revoked" : "revoked")),
          ("serials", .array(revoked.map { .string($0) })), ("list", .string(written))),
        "\(Console.good()) \(verdict)  \(name.display)")
      try console.result((revoked.isEmpty ? [serial] : revoked).map { "  serial   \($0)" })
      try console.result(
        "  list     \(written.display)",
        "  next     signet trust set POLICY --revocation-list \(written.shellWord.display)"
      )
      if reason == .keyCompromise && since == nil && !revoked.isEmpty {
        console.note(
          "what was stamped before now stays valid: if the key was stolen before, say since when, as --since 2026-05-01"
        )
      }
    }
  }

  /// The serial number that is meant: of the authority's list, or of the certificate in a file.
  private func serial(in authority: Authority) throws(SignetError) -> String {
    if authority.issued[serial: certificate] != nil { return certificate }
    guard (try? FileStatus(ofLink: certificate)) != nil else {
      throw SignetError(
        .authorityUnknown, certificate, "is neither a file nor a serial number that this authority has issued",
        hint: "look at what it has issued: signet cert show DIR")
    }
    let read = try Certificate.all(inTrustedFile: certificate)[0]
    guard authority.issued[serial: read.serialNumber]?.sha256.isExactly(read.fingerprint.hex) ?? false else {
      throw SignetError(
        .authorityUnknown, certificate, "is no certificate that this authority has issued",
        hint: "look at what it has issued: signet cert show DIR")
    }
    return read.serialNumber
  }
}

/// The revocation list that a command writes.
struct RevocationListOptions: ParsableArguments {
  @Option(
    name: .long, help: ArgumentHelp("Until when the next list is due, in days.", valueName: "number"))
  var listDays = 30

  @Option(
    name: .long, help: ArgumentHelp("Where to write the list. Default: crl.pem in the folder.", valueName: "path"),
    completion: .file())
  var out: String?

  func validate() throws {
    guard (1...3650).contains(listDays) else { throw ValidationError("--list-days takes a number from 1 to 3650.") }
  }

  /// Makes the list, notes its number, and writes it: a number is never given twice.
  func write(
    _ authority: inout Authority, _ place: AuthorityFolder, _ passphrase: PassphraseOptions
  ) throws(SignetError) {
    let made = try authority.revocationList(
      days: listDays, by: place.privateKey(passphrase), at: SystemTime.now())
    try place.keep(authority)
    try place.write(made, to: out)
  }
}

struct CertListCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "crl",
    abstract: "Write the authority's revocation list again.",
    discussion: """
      A list is good until the next one is due. Verifiers refuse what an old list is about, so write a new one in time, and \
      give it to them.

      Examples:
        signet cert crl team --list-days 90 --out team.crl
        signet trust set trust.json --revocation-list team.crl
      """)

  @Argument(help: "The authority's folder.", completion: .directory)
  var folder: String

  @OptionGroup var list: RevocationListOptions

  @OptionGroup var passphrase: PassphraseOptions

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.making("cert crl", about: folder, on: console) { (run) throws(SignetError) in
      let place = AuthorityFolder(path: folder)
      let lock = try place.lock()
      defer { withExtendedLifetime(lock) {} }
      var authority = try place.read()
      try list.write(&authority, place, passphrase)
      let revoked = authority.issued.certificates.count { $0.revocation != nil }
      try run.did(
        .object(
          ("file", .string(list.out ?? place.list)), ("verdict", .string("made")),
          ("number", .integer(authority.issued.listNumber)), ("revoked", .integer(revoked))),
        "\(Console.good()) made  \((list.out ?? place.list).display)",
        "  revoked  \(revoked.of("certificate", "certificates"))", "  number   \(authority.issued.listNumber)")
    }
  }
}
