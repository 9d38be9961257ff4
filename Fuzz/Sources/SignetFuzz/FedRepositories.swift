import SignetCrypto
import SignetKeys

@testable import SignetBase
@testable import SignetNames
@testable import SignetTUF

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What lies in the folder of a repository, and may be anybody's: drafts, names of files, and files of metadata.
enum FedRepositories {
  private static let now = UnixTime(seconds: 1_800_000_000)
  private static let key = try? PrivateKey.generate(.ed25519)

  // MARK: Drafts

  /// A draft takes signatures and stays what it is. What people are shown of it cannot move the cursor.
  static func feedDraft(_ bytes: [UInt8]) {
    feedDraft(RootRole.self, bytes) { RoleChanges(from: nil, to: $0).lines + RoleChanges(from: $0, to: $0).lines }
    feedDraft(TargetsRole.self, bytes) {
      let empty = TargetsRole(version: 1, expires: now)
      return RoleChanges(from: nil, to: $0).lines + RoleChanges(from: $0, to: empty).lines
    }
  }

  private static func feedDraft<Role: MetadataRole>(
    _ type: Role.Type, _ bytes: [UInt8], _ words: (Role) -> [String]
  ) {
    guard let file = try? UnverifiedMetadata<Role>(bytes), var draft = try? MetadataDraft(continuing: file) else {
      return
    }
    guard let key, let object = try? TUFKey(key.publicKey) else { return require(false, "no key") }
    let authority = RoleAuthority(
      role: Role.typeName, keys: KeyThreshold(keyIDs: [object.id], threshold: 1), ring: KeyRing([object]))
    require((try? file.signers(of: authority)) == 0, "somebody has signed")
    guard (try? draft.sign(with: key)) != nil, let text = try? draft.bytes(),
      let signed = try? UnverifiedMetadata<Role>(text), var other = try? MetadataDraft(continuing: file),
      (try? other.take(signaturesOf: signed, for: authority)) == 1
    else { return require(false, "a draft cannot be signed") }
    require(signed.content == file.content, "a draft has changed")
    require((try? signed.signers(of: authority)) == 1, "a signature is lost")
    require((try? other.check(by: authority)) != nil, "a signature was not taken")
    for line in words(draft.role) {
      require(line.unicodeScalars.allSatisfy { $0 == " " || $0.isVisible }, "a line is not text alone")
    }
  }

  // MARK: Names

  /// A name that is read has one version and one role, and is the only name of both.
  static func feedName(_ bytes: [UInt8]) {
    guard let name = String(validating: bytes, as: UTF8.self), let file = MetadataFileName(name) else { return }
    require((1...MetadataFileName.highest).contains(file.version), "no metadata can state the version")
    guard let role = PercentEncoding.decode(file.role) else { return }
    let proper = MetadataFileName.of(role, version: file.version)
    require(!proper.utf8.contains(UInt8(ascii: "/")), "a name leads to another folder")
    guard let again = MetadataFileName(proper) else { return require(false, "a name cannot be read again") }
    require(again.version == file.version, "a version has changed")
    require(PercentEncoding.decode(again.role)?.isExactly(role) == true, "a role has changed")
  }

  // MARK: Repositories

  /// The files that the first byte chooses from.
  private static let places = [
    "metadata/1.root.json", "metadata/1.targets.json", "metadata/2.delegatedrole.json", "metadata/2.snapshot.json",
    "metadata/timestamp.json", "metadata/2.root.json", "metadata/3.snapshot.json", "pending/root.json",
    "pending/targets.json", "pending/delegatedrole.json", "pending/delegatedrole.bin-0.json",
  ]
  /// A copy of the vectors tuf-on-ci, which Fuzz/run makes.
  private static let folder = getenv("SIGNET_FUZZ_REPOSITORY").map { String(cString: $0) }
  private static let originals = places.map { place in
    try? folder.map { try RepositoryFolder($0).file(place) } ?? nil
  }

  /// A repository in which one file is the fuzzer's says what its owners have signed, or is refused.
  static func feedRepository(_ bytes: [UInt8]) {
    guard let folder else { return require(false, "SIGNET_FUZZ_REPOSITORY names no repository") }
    guard let first = bytes.first else { return }
    let (number, content) = (Int(first) % places.count, Array(bytes.dropFirst()))
    let original = originals[number]
    write(content, to: "\(folder)/\(places[number])")
    defer {
      if let original {
        write(original, to: "\(folder)/\(places[number])")
      } else {
        unlink("\(folder)/\(places[number])")
      }
    }
    guard let repository = try? RepositoryFolder(folder).load() else { return }
    _ = try? DraftPublication(of: repository, signedBy: [], at: now)
    if let top = repository.targets?.role {
      _ = try? RoleTargets(of: "delegatedrole", under: top, in: repository, continuing: .shown)
    }
    guard let check = try? RepositoryCheck(of: repository, at: now) else { return }
    guard check.faults.allSatisfy({ $0.code == .tufExpired }) else { return }
    require(check.roles.map(\.name).suffix(2) == ["targets", "delegatedrole"], "a role is missing")
    if let original, places[number].utf8.starts(with: "metadata/".utf8) {
      require(signed(content) == signed(original), "the repository says what nobody has signed")
    }
    guard let pruned = try? RepositoryPruning(of: repository).files else { return }
    require(places[..<5].allSatisfy { !pruned.contains($0) }, "a file that is needed would be pruned")
  }

  private static func signed(_ bytes: [UInt8]) -> [UInt8]? {
    let limits = JSONLimits(size: 1 << 16, depth: 64, values: 10_000)
    return try? JSONReader.read(bytes, limits: limits).member("signed").map { try OLPCJSON.encode($0) }
  }

  private static func write(_ bytes: [UInt8], to path: String) {
    guard let file = fopen(path, "w") else { return require(false, "\(path) cannot be written") }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }
}
