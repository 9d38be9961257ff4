internal import ArgumentParser
internal import GateReports
internal import ReleaseGate
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetCrypto
internal import SignetSystem

/// How the gate signs its own verdict.
struct AttestOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Sign the verdict on each artifact with the private key in this file.", valueName: "path"),
    completion: .file())
  var attestKey: String?

  @Option(
    name: .long,
    help: ArgumentHelp("Sign the verdict with the private key from an open descriptor.", valueName: "number"))
  var attestKeyFd: Int32?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The new folder for these signatures. Each is called like its artifact, with .vsa.sigstore.json at the end.",
      valueName: "folder"), completion: .directory)
  var attestTo: String?

  @Flag(
    name: .long,
    help: "With --attest-to: write each signature also as NAME.intoto.jsonl, the name that OpenSSF Scorecard counts.")
  var attestIntoto = false

  @Flag(name: .long, help: "With --attest-key: sign the verdict on a refused release, too.")
  var attestRefusals = false

  @Option(
    name: .long,
    help: ArgumentHelp("With --attest-key: who stands behind the verdict.", valueName: "uri"))
  var attestVerifier: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "With --attest-key: where users get the artifacts. Their paths are appended.", valueName: "uri"))
  var attestResource: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "With --attest-key: where the policy is published. Its SHA-256 is always given.", valueName: "uri"))
  var attestPolicy: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "With --attest-key: a level that the policy has established, such as SLSA_BUILD_LEVEL_3. Repeatable.",
      valueName: "level"))
  var attestLevel: [String] = []

  @OptionGroup var passphrase: PassphraseOptions

  func validate() throws {
    if attestKey != nil && attestKeyFd != nil {
      throw ValidationError("Give --attest-key or --attest-key-fd, not both.")
    }
    if let attestKeyFd, attestKeyFd == passphrase.passphraseFd {
      throw ValidationError("--attest-key-fd and --passphrase-fd are the same descriptor.")
    }
    guard isEmpty == (attestTo == nil) else {
      throw ValidationError(
        isEmpty
          ? "--attest-to goes with --attest-key or --attest-key-fd."
          : "With --attest-key say by --attest-to where the signatures are to be.")
    }
    let others = [
      attestVerifier, attestResource, attestPolicy, attestLevel.first, passphrase.passphraseFile,
      passphrase.passphraseFd.map { "\($0)" },
    ]
    guard !isEmpty || !attestRefusals && !attestIntoto && others.allSatisfy({ $0 == nil }) else {
      throw ValidationError("--attest-key says with which key the verdict is signed.")
    }
  }

  /// Whether the verdict is not signed.
  var isEmpty: Bool { place == nil }

  /// Where the private key is read from; nil if the verdict is not signed.
  private var place: KeySource.Place? { attestKey.map { .file($0) } ?? attestKeyFd.map { .descriptor($0) } }

  /// The files of the key and its passphrase, which no output replaces.
  var files: [String] { [attestKey, passphrase.passphraseFile].compactMap(\.self) }

  /// What signs the verdict; nil if it is not signed. The key is read, and the folder's name is checked, before the
  /// release is.
  ///
  /// - Throws: `key.…`, `passphrase.…`, `file.…`, `output.exists`, `output.is-input`, `policy.test-key`.
  func attester(outside folders: [String], allowsTestKeys: Bool) throws(SignetError) -> Attester? {
    guard let place, let attestTo else { return nil }
    try OutputFile.check(attestTo, .keep)
    for folder in FileStatus.identities(of: folders) { try OutputFile.check(attestTo, outside: folder) }
    let key = try KeySource(place: place, passphrase: passphrase).privateKey(
      allowsTestKeys: allowsTestKeys)
    var options = VerificationSummary.Options()
    options.attestsRefusals = attestRefusals
    if let attestVerifier { options.verifier = attestVerifier }
    if let attestResource { options.resource = attestResource }
    options.policy = attestPolicy
    if !attestLevel.isEmpty { options.levels = attestLevel }
    return Attester(signer: try Signer(key), folder: attestTo, options: options, hasOtherNames: attestIntoto)
  }
}

/// Signs the verdict on each artifact of a report.
struct Attester {
  let signer: Signer
  let folder: String
  let options: VerificationSummary.Options
  /// Whether each signature is written under the name that in-toto's other programs use, too.
  let hasOtherNames: Bool

  /// Signs the verdict on each artifact; nothing for a refused release, unless its verdict is to be signed, too.
  ///
  /// - Throws: `gate.summary`, `signing.…`, `crypto.failure`.
  func summaries(of report: GateReport) throws(SignetError) -> [(path: String, bundle: [UInt8])] {
    try VerificationSummary(of: report, options).sign(by: signer)
  }

  /// Writes the signatures into a new folder, all of them or none. An interruption removes it until ``keep()`` is called.
  ///
  /// - Throws: `output.…`.
  func write(_ summaries: [(path: String, bundle: [UInt8])]) throws(SignetError) {
    guard !summaries.isEmpty else { return }
    try Interruption.held(undoing: { [folder] in NewDirectory.remove(folder) }) { () throws(SignetError) in
      let others = hasOtherNames ? summaries.map { (Self.otherName($0.path), $0.bundle + [UInt8(ascii: "\n")]) } : []
      try NewDirectory.write(summaries.map { ($0.path, $0.bundle) } + others, to: folder)
    }
  }

  /// `tool.intoto.jsonl` for `tool.vsa.sigstore.json`.
  private static func otherName(_ path: String) -> String {
    let suffix = BundleFile.single(".\(SummaryPredicate.label)")
    return (path.hasSuffix(suffix) ? String(path.dropLast(suffix.count)) : path) + ".intoto.jsonl"
  }

  /// Keeps the folder that ``write(_:)`` has written: everything else was written, too.
  func keep() { Interruption.cleanUp(with: nil) }

  /// Removes the folder that ``write(_:)`` has written.
  func withdraw() { NewDirectory.remove(folder) }
}
