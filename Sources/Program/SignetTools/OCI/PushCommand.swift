internal import ArgumentParser
internal import ModuleImages
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetCrypto
internal import SignetOCI
internal import SignetSystem

struct PushCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "push",
    abstract: "Put a signed module into an OCI registry.",
    discussion: """
      Uploads the archive as it is, and each bundle, in the archive or beside it, as a manifest about it: other programs \
      find it there. The tag is set last. The same module gives the same manifests, so a second push changes nothing.

      With --policy, the module is verified first. Without it, only what the bundles say is compared with the archive; \
      signet pull verifies it in any case.

      With --key, a second statement is signed, about the manifest. cosign verify --key then accepts it, too.

      A place is oci://HOST[:PORT]/NAME:TAG, or oci-layout:DIRECTORY:TAG for a network without a registry.

      Compare with signet repo push, for a registry that is a signed directory.

      Examples:
        signet push oci://registry.example.com/modules/player:1.0.0 player.zip
        signet push oci-layout:carried:1.0.0 player.zip --policy trust.json
      """)

  @Argument(help: "Where to put it, with a tag.", completion: OCIPlace.starts, transform: OCIPlace.target)
  var place: OCIPlace

  @Argument(help: "The module's archive.", completion: .file())
  var module: String

  @Option(
    name: .long, help: ArgumentHelp("Verify the module under this trust policy first.", valueName: "path"),
    completion: .file())
  var policy: String?

  @OptionGroup var pin: PolicyPinOptions

  @Option(
    name: .long,
    help: ArgumentHelp("Sign a statement about the manifest with this private key.", valueName: "path"),
    completion: .file())
  var key: String?

  @OptionGroup var passphrase: PassphraseOptions
  @OptionGroup var registry: RegistryOptions
  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    guard place.digest == nil else {
      throw ValidationError(
        "Leave the digest out: \(place.description.prefix { $0 != "@" })\(place.tag == nil ? ":1.0.0" : "").")
    }
    guard place.tag != nil else {
      throw ValidationError("Name a tag to push to, such as \(place.description.prefix { $0 != "@" }):1.0.0.")
    }
    try pin.check(policy)
    guard key != nil || passphrase.passphraseFile == nil && passphrase.passphraseFd == nil else {
      throw ValidationError("A passphrase goes with --key.")
    }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.judging("push", about: module, on: console) { (run) throws(SignetError) in
      let check: ModuleImage.Check =
        if let policy {
          .policy(Verifier(policy: try pin.policy(policy, allowsTestKeys: false), clock: .system))
        } else { .statementsOnly }
      let signer = try key.map { (key) throws(SignetError) in
        try Signer(KeySource(place: .file(key), passphrase: passphrase).privateKey(allowsTestKeys: false))
      }
      let image = try ProgressBar.show(module, size: nil, console) { (counter) throws(SignetError) in
        try ModuleImage(module, check, signer: signer, progress: counter)
      }
      let storage = try registry.open(place, isMade: true)
      // What the tag named before cannot stop the push, whatever it is.
      let before = place.tag.flatMap { try? storage.manifest(.tag($0)) }.flatMap {
        $0.digest == image.manifest.digest ? nil : $0
      }
      try image.push(to: storage, tag: place.tag)
      let count = image.referrers.count
      try console.result(
        "\(Console.good()) pushed  \(image.module.identifier) \(image.module.version)",
        "  to        \(place)", "  manifest  \(image.manifest.digest)",
        "  bundles   \(count), \(policy == nil ? "not verified (to verify first: --policy)" : "verified")")
      if let before {
        let version = before.annotations[Annotation.version].map { " (version \($0))" } ?? ""
        try console.result("  moved     the tag named \(before.digest)\(version.display) before")
      }
      run.did([
        .object(
          ("file", .string(module)), ("verdict", .string("pushed")), ("place", .string("\(place)")),
          ("manifest", .string("\(image.manifest.digest)")),
          ("movedFrom", before.map { .string("\($0.digest)") }),
          ("identifier", .string("\(image.module.identifier)")), ("version", .string("\(image.module.version)")),
          ("bundles", .integer(count)), ("isVerified", JSONValue(.bool(policy != nil))))
      ])
    }
  }
}
