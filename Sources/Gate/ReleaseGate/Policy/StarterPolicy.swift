internal import Signet
internal import SignetArchive
public import SignetBase
public import SignetCrypto

/// A release policy to begin with, made from what a folder holds.
///
/// Nothing in the folder is trusted. Every choice that a person has to make is a line in `review`, and a policy with
/// such lines lets nothing pass.
public struct StarterPolicy: Sendable {
  private let files: ReleaseFiles
  private let keys: [PublicKey]
  private static let reviewLimit = 100

  /// Looks at a release.
  ///
  /// - Parameters:
  ///   - folder: the release's folder.
  ///   - keys: the publisher's keys; empty if they are to be added later.
  /// - Throws: `gate.link`, `gate.special-file`, `path.…`, `directory.…`, `file.…`.
  public init(for folder: String, trusting keys: [PublicKey]) throws(SignetError) {
    files = try ReleaseFiles(in: [folder], excluding: [])
    self.keys = keys
  }

  /// The policy's text: JSON with a line for each field, for people to change.
  ///
  /// - Parameters:
  ///   - isReviewed: whether a person has looked at what ``reviews()`` lists, so that the policy does not.
  ///   - allowsTestKeys: whether keys that are public for tests are accepted.
  /// - Throws: `policy.test-key`, `policy.weak-key`, `policy.entry`, and what reading the folder's files throws.
  public func text(isReviewed: Bool = false, allowsTestKeys: Bool = false) throws(SignetError) -> [UInt8] {
    let modules = try modules()
    var entries: [TrustEntry] = []
    for (number, key) in keys.enumerated() {
      entries.append(
        try TrustEntry(
          keys.count == 1 ? "publisher" : "publisher-\(number + 1)", .key(key),
          scope: TrustScope(modules: modules.compactMap { ModulePattern("\($0)") }, files: [.any])))
    }
    let trust = try TrustPolicy(entries: entries, allowsTestKeys: allowsTestKeys)
    let rules = RuleList.all.map { type in
      JSONValue.Member(type.about.id, .string(type.about.usualLevel?.description ?? "off"))
    }
    let value = JSONValue.object(
      ("version", .integer(ReleasePolicy.version)),
      ("trust", try JSONReader.read(trust.canonicalBytes(), limits: .policy)),
      ("exclude", .array([])), ("rules", JSONValue(.object(rules))),
      ("review", isReviewed ? nil : .array(reviews(modules).map { .string($0) })))
    return try CanonicalJSON.writeIndented(value, by: 2)
  }

  /// What a person has to look at before the policy may decide, one point a line.
  ///
  /// - Throws: what reading the folder's files throws.
  public func reviews() throws(SignetError) -> [String] { reviews(try modules()) }

  /// Whether a module's archive has its signature inside.
  private func isSignedInside(_ file: ReleaseFile) -> Bool {
    guard let open = try? files.open(file) else { return false }
    return (try? AttachedArchive.bundles(in: .file(open))).map { !$0.isEmpty } ?? false
  }

  /// The identifiers that the release's archives give themselves. Nobody has verified them.
  private func modules() throws(SignetError) -> [ModuleIdentifier] {
    var found: [ModuleIdentifier] = []
    for file in files.files {
      guard case .artifact = file.role else { continue }
      let open = try files.open(file)
      do throws(SignetError) {
        let archive = try ArchiveFile(open, limits: ArchiveLimits()).open()
        guard let entry = archive.entries.first(where: { $0.path.isExactly(ModuleDescription.path) }) else {
          continue
        }
        let bytes = try archive.bytes(of: entry, limit: JSONLimits.moduleDescription.size)
        let description = try ModuleDescription(json: bytes)
        if !found.contains(description.identifier) { found.append(description.identifier) }
      } catch {
        // What is no module's archive is a file like any other.
        if Set.aboutFiles.contains(error.code) || error.code == .extractionFailed { throw error }
      }
    }
    return found
  }

  private func reviews(_ modules: [ModuleIdentifier]) -> [String] {
    var reviews: [String] = []
    if keys.isEmpty {
      reviews.append("trust.entries is empty: add the publisher's key, as in docs/format.md, section 9")
    } else {
      reviews.append("trust.entries: check that each key is the publisher's, and for what it is trusted")
    }
    if !modules.isEmpty {
      reviews.append(
        "trust.entries: the archives call themselves \(modules.map(\.description).joined(separator: ", "))")
    }
    for file in files.files {
      guard case .artifact(let bundles) = file.role, bundles.isEmpty, !isSignedInside(file) else { continue }
      reviews.append("\(file.path.display) has no signature beside it: sign it, or name it in exclude")
    }
    guard reviews.count > Self.reviewLimit else { return reviews }
    return reviews.prefix(Self.reviewLimit) + ["\(reviews.count - Self.reviewLimit) more files have no signature"]
  }
}
