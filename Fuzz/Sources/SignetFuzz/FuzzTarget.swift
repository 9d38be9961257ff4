import Keyless
import Signet
import SignetCrypto
import SignetTUF

/// What is fed with bytes, and what must hold for all of them. Every target also has to end, and not to crash.
enum FuzzTarget: String, CaseIterable {
  /// The strict reader and the canonical writer.
  case json
  /// Base64 has one text for each value.
  case base64
  /// Statements.
  case statement
  /// Listings of directories.
  case listing
  /// Bundles.
  case bundle
  /// Trust policies.
  case policy
  /// Descriptions of modules.
  case moduleDescription = "module-description"
  /// Public keys in PEM and DER.
  case publicKey = "public-key"
  /// Private keys in PEM and DER, with a passphrase.
  case privateKey = "private-key"
  /// Signatures of every kind over a fixed message.
  case signature
  /// Certificates and revocation lists, and a validation with what was read.
  case certificate
  /// Shared libraries, and the rules of a loader.
  case elf
  /// Tars, plain and compressed.
  case tar
  /// ZIPs: structure, bytes, and a signing block put in and taken out.
  case zip
  /// Files of any kind, and what the release gate finds in them.
  case container
  /// What stands in a signing block, verified.
  case signingBlock = "signing-block"
  /// Paths and the targets of links.
  case path
  /// URLs by which modules are reached.
  case url
  /// Patterns of routes, with a URL and values.
  case pattern
  /// Messages of web pages, and where their requests lead.
  case webMessage = "web-message"
  /// What web pages say about the navigation bar.
  case webBar = "web-bar"
  /// Heads, places and notes of what is fetched.
  case answer
  /// Journals of hosts, and what a store makes of them.
  case journal
  /// Policies of releases.
  case releasePolicy = "release-policy"
  /// Reports that say what a release was.
  case report
  /// A whole verification of a bundle nobody trusted has made.
  case verification
  /// Roots of The Update Framework.
  case tufRoot = "tuf-root"
  /// Its timestamps.
  case tufTimestamp = "tuf-timestamp"
  /// Its snapshots.
  case tufSnapshot = "tuf-snapshot"
  /// Its targets, delegations and patterns.
  case tufTargets = "tuf-targets"
  /// Its canonical JSON, and its names in URLs.
  case tufCanonical = "tuf-canonical"
  /// Drafts in its repositories, signed and shown.
  case tufDraft = "tuf-draft"
  /// Names of files in its repositories.
  case tufFileName = "tuf-file-name"
  /// A repository of which one file is fed.
  case tufRepository = "tuf-repository"
  /// Modfiles.
  case modfile
  /// Their locks.
  case modfileLock = "modfile-lock"
  /// Manifests and indexes of OCI registries.
  case ociDocument = "oci-document"
  /// Places in registries and layouts.
  case ociPlace = "oci-place"
  /// Demands for credentials, and tokens.
  case ociAnswer = "oci-answer"
  /// Files of credentials.
  case ociCredentials = "oci-credentials"

  /// Specs of modules.
  case spec
  /// Patterns of source files, with paths.
  case sourcePattern = "source-pattern"

  /// Signed data of CMS, and timestamps.
  case signedData = "signed-data"
  /// Notes and checkpoints of logs.
  case logNote = "log-note"
  /// Trusted roots of Sigstore.
  case keylessRoot = "keyless-root"
  /// Bundles by identities, verified.
  case keyless
  /// Files in which others keep bundles.
  case keylessShape = "keyless-shape"
  /// The field of a policy that names identities.
  case keylessSigners = "keyless-signers"
  /// What statements say is in models.
  case modelManifest = "model-manifest"
  /// Requests for certificates, lists of what was issued, and names.
  case authority
  /// Responses about certificates.
  case ocsp
  /// The keys of a signer, one after the other.
  case lineage
  /// What lets a release have less than the one before it.
  case waiver
  /// Signatures of other programs, named and verified.
  case otherSignature = "other-signature"
  /// Files of OpenSSH that say who may sign.
  case allowedSigners = "allowed-signers"

  /// Feeds the target; a violated property ends the process, which the fuzzer reports.
  func feed(_ bytes: [UInt8]) {
    switch self {
    case .json: feedJSON(bytes)
    case .base64: feedBase64(bytes)
    case .statement: feedStatement(bytes)
    case .listing: feedListing(bytes)
    case .bundle: feedBundle(bytes)
    case .policy: feedPolicy(bytes)
    case .moduleDescription: feedModuleDescription(bytes)
    case .publicKey: feedPublicKey(bytes)
    case .privateKey: feedPrivateKey(bytes)
    case .signature: KnownKeys.checkAll(bytes)
    case .certificate: FedCertificates.feed(bytes)
    case .elf: FedLibraries.feed(bytes)
    case .tar: FedTars.feed(bytes)
    case .zip: FedArchives.feedZIP(bytes)
    case .container: FedContainers.feed(bytes)
    case .signingBlock: FedArchives.feedBlock(bytes)
    case .path: FedArchives.feedPath(bytes)
    case .url: FedURLs.feedURL(bytes)
    case .pattern: FedURLs.feedPattern(bytes)
    case .webMessage: FedPages.feedMessage(bytes)
    case .webBar: FedPages.feedBar(bytes)
    case .answer: FedAnswers.feed(bytes)
    case .journal: FedJournals.feed(bytes)
    case .releasePolicy: FedReleases.feedPolicy(bytes)
    case .report: FedReleases.feedReport(bytes)
    case .verification: KnownKeys.verify(bytes)
    case .tufRoot: FedMetadata.feedRoot(bytes)
    case .tufTimestamp: FedMetadata.feed(TimestampRole.self, bytes)
    case .tufSnapshot: FedMetadata.feed(SnapshotRole.self, bytes)
    case .tufTargets: FedMetadata.feedTargets(bytes)
    case .tufCanonical: FedMetadata.feedCanonical(bytes)
    case .tufDraft: FedRepositories.feedDraft(bytes)
    case .tufFileName: FedRepositories.feedName(bytes)
    case .tufRepository: FedRepositories.feedRepository(bytes)
    case .modfile: FedModfiles.feed(bytes)
    case .modfileLock: FedModfiles.feedLock(bytes)
    case .ociDocument: FedImages.feedDocument(bytes)
    case .ociPlace: FedImages.feedPlace(bytes)
    case .ociAnswer: FedImages.feedAnswer(bytes)
    case .ociCredentials: FedImages.feedCredentials(bytes)
    case .spec: FedSpecs.feed(bytes)
    case .sourcePattern: FedSpecs.feedPattern(bytes)
    case .signedData: FedProofs.feedSignedData(bytes)
    case .logNote: FedProofs.feedNote(bytes)
    case .keylessRoot: FedProofs.feedRoot(bytes)
    case .keyless: FedProofs.feedBundle(bytes)
    case .keylessShape: FedProofs.feedShape(bytes)
    case .keylessSigners: FedProofs.feedSigners(bytes)
    case .modelManifest: FedModels.feed(bytes)
    case .authority: FedAuthorities.feed(bytes)
    case .ocsp: FedLineages.feedResponse(bytes)
    case .lineage: FedLineages.feed(bytes)
    case .waiver: FedLineages.feedWaiver(bytes)
    case .otherSignature: FedOtherSignatures.feed(bytes)
    case .allowedSigners: FedOtherSignatures.feedSigners(bytes)
    }
  }

  /// What is accepted can be written unless it has fractions; what is canonical writes the same bytes.
  private func feedJSON(_ bytes: [UInt8]) {
    let limits = JSONLimits(size: 1 << 16, depth: 16, values: 5000)
    guard let value = try? JSONReader.read(bytes, limits: limits) else { return }
    guard let text = try? CanonicalJSON.write(value) else { return }
    require((try? CanonicalJSON.write(CanonicalJSON.read(text, limits: .payload))) == text, "canonical text changed")
    let isCanonical = (try? CanonicalJSON.read(bytes, limits: limits)) != nil
    require(isCanonical == (text == bytes), "canonical is not what is written")
  }

  private func feedBase64(_ bytes: [UInt8]) {
    require((try? Base64.decode(Base64.encode(bytes))) == bytes, "bytes changed")
    let text = String(decoding: bytes, as: UTF8.self)
    if let decoded = try? Base64.decode(text) { require(Base64.encode(decoded) == text, "two texts for one value") }
  }

  private func feedStatement(_ bytes: [UInt8]) {
    guard let statement = try? Statement(payload: bytes) else { return }
    guard statement.foreignPredicate == nil else { return }
    require((try? statement.canonicalBytes()) == bytes, "a statement of ours has another text")
  }

  /// What is accepted writes the same bytes, is found by its paths, and leads nowhere else.
  private func feedListing(_ bytes: [UInt8]) {
    guard let listing = try? DirectoryListing(json: bytes) else { return }
    require((try? listing.canonicalBytes()) == bytes, "a listing has another text")
    require((try? Digest.of(bytes, .sha256)) == listing.digest, "a listing has another digest")
    for entry in listing.entries {
      require(listing[entry.path] == entry, "an entry is not found")
      let names = entry.path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      require(
        names.allSatisfy { !$0.isEmpty && Array($0) != [0x2e] && Array($0) != [0x2e, 0x2e] }, "a path leads out")
      guard case .symbolicLink(let target) = entry.content else { continue }
      var level = names.count - 1
      for name in target.utf8.split(separator: UInt8(ascii: "/")) where Array(name) != [0x2e] {
        level += Array(name) == [0x2e, 0x2e] ? -1 : 1
        require(level >= 0, "a link leads out")
      }
    }
  }

  private func feedBundle(_ bytes: [UInt8]) {
    guard let bundle = try? SigstoreBundle(json: bytes) else { return }
    guard let text = try? bundle.canonicalBytes(), let again = try? SigstoreBundle(json: text) else {
      return require(false, "an accepted bundle cannot be written and read")
    }
    require((try? again.canonicalBytes()) == text, "the canonical text of a bundle changed")
    require(again.claimedKeyIDs == bundle.claimedKeyIDs, "a bundle changed")
  }

  /// What is accepted is written in one canonical way, which reads as the same policy.
  private func feedPolicy(_ bytes: [UInt8]) {
    guard let policy = try? TrustPolicy(json: bytes, with: [.sigstore]) else { return }
    guard let text = try? policy.canonicalBytes(), let again = try? TrustPolicy(json: text, with: [.sigstore]) else {
      return require(false, "an accepted policy cannot be written and read")
    }
    require(again == policy, "a policy changed")
    require((try? again.canonicalBytes()) == text, "the canonical text of a policy changed")
  }

  /// What is accepted has one canonical text, which reads as the same description.
  private func feedModuleDescription(_ bytes: [UInt8]) {
    guard let description = try? ModuleDescription(json: bytes) else { return }
    let text = description.canonicalBytes()
    require((try? CanonicalJSON.write(description.json)) == text, "a description has another text")
    require((try? CanonicalJSON.read(text, limits: .payload)) != nil, "the text of a description is not canonical")
    guard let again = try? ModuleDescription(json: text) else {
      return require(false, "a description that was written cannot be read")
    }
    require(again == description && again.canonicalBytes() == text, "a description changed")
  }

  private func feedPublicKey(_ bytes: [UInt8]) {
    if let key = try? PublicKey(der: bytes) {
      require(key.der == bytes, "two texts for one key")
      require((try? PublicKey(file: SecretBytes(Array(key.pem.utf8)))) == key, "a key changed")
    }
    _ = try? PublicKey(file: SecretBytes(bytes))
  }

  private func feedPrivateKey(_ bytes: [UInt8]) {
    _ = try? PrivateKey(file: SecretBytes(bytes)) { SecretBytes(Array("x".utf8)) }
  }
}

/// Ends the process when a property does not hold.
func require(_ holds: Bool, _ property: String) {
  if !holds { fatalError(property) }
}
