public import SignetBase
internal import SignetCrypto
internal import SignetFiles
public import SignetKeys
internal import SignetSystem

/// The drafts of a repository: metadata of offline roles that is being signed, on one machine or on several.
///
/// A draft is a file like that of published metadata, `pending/ROLE.json`, so any tool can sign it. It counts for nothing
/// until enough keys have signed and it is published.
extension RepositoryFolder {
  /// The names of the roles that have drafts, sorted by their bytes.
  ///
  /// - Throws: `tuf.no-repository`, `file.…`.
  public func pendingRoles() throws(SignetError) -> [String] {
    let end = ".json"
    return try names(in: Self.pendingName).compactMap { name in
      guard name.hasSuffix(end), let role = PercentEncoding.decode(String(name.dropLast(end.utf8.count))) else {
        return nil
      }
      // Of several spellings of a name, only one is a draft's.
      return "\(PercentEncoding.roleName(role))\(end)".isExactly(name) ? role : nil
    }
  }

  /// The draft of a new root, or nil.
  ///
  /// - Throws: what ``UnverifiedMetadata/init(_:name:)`` throws; `file.…`.
  public func pendingRoot() throws(SignetError) -> UnverifiedMetadata<RootRole>? { try draft("root") }

  /// The draft of a targets role, or nil.
  ///
  /// - Throws: what ``UnverifiedMetadata/init(_:name:)`` throws; `file.…`.
  public func pending(_ role: String) throws(SignetError) -> UnverifiedMetadata<TargetsRole>? { try draft(role) }

  private func draft<Role: MetadataRole>(_ role: String) throws(SignetError) -> UnverifiedMetadata<Role>? {
    let name = Self.draftName(role)
    guard let bytes = try file(name) else { return nil }
    return try UnverifiedMetadata(bytes, name: name)
  }

  /// Writes the draft of a role, in place of an earlier one.
  ///
  /// - Throws: `tuf.not-canonical`; `file.not-directory` if the folder of the drafts is a link; `output.failed`.
  public func setPending<Role: MetadataRole>(
    _ role: String, _ draft: MetadataDraft<Role>
  ) throws(SignetError) {
    try Self.makeDirectory("\(path)/\(Self.pendingName)")
    _ = try directory(Self.pendingName)
    try OutputFile.write(try draft.bytes(), to: "\(path)/" + Self.draftName(role), .replace(unless: []))
  }

  /// Removes the draft of a role.
  ///
  /// - Throws: `output.failed`, also if the folder of the drafts is a link.
  public func dropPending(_ role: String) throws(SignetError) { try remove(Self.draftName(role)) }

  private static func draftName(_ role: String) -> String {
    "\(pendingName)/\(PercentEncoding.roleName(role)).json"
  }
}

extension RoleAuthority {
  /// The key object by which the role names a key; nil if the key is not one of the role's.
  ///
  /// - Throws: `tuf.not-canonical`; `crypto.failure`.
  func entry(of key: PrivateKey) throws(SignetError) -> TUFKey? {
    for entry in ring.entries where keys.keyIDs.contains(where: { $0.isExactly(entry.name) }) {
      let object = try TUFKey(json: entry.value)
      if case .verifies(let publicKey, _) = object.use, publicKey == key.publicKey, object.id.isExactly(entry.name) {
        return object
      }
    }
    return nil
  }
}

extension MetadataDraft {
  /// Signs with those keys that are the role's.
  ///
  /// - Returns: the number of keys that have signed.
  /// - Throws: `tuf.not-canonical`; `crypto.failure`.
  @discardableResult
  public mutating func sign(with keys: [PrivateKey], for authority: RoleAuthority) throws(SignetError) -> Int {
    var count = 0
    for key in keys {
      guard let entry = try authority.entry(of: key) else { continue }
      try sign(with: key, as: entry)
      count += 1
    }
    return count
  }

  /// Takes the signatures of a role's keys from another copy of the same metadata, as far as this one lacks them. Nothing
  /// but valid signatures is taken.
  ///
  /// - Returns: the number of signatures that were taken.
  /// - Throws: `tuf.draft-stale` if the other copy has other content; `crypto.failure`.
  public mutating func take(
    signaturesOf other: UnverifiedMetadata<Role>, for authority: RoleAuthority
  ) throws(SignetError) -> Int {
    guard other.message == message else {
      throw SignetError(
        .tufDraftStale, other.name, "is a copy of another draft", expected: "the same content",
        hint: "copy the current draft to all machines, and sign it there")
    }
    var count = 0
    for id in authority.keys.keyIDs {
      guard let signature = other.signatures[id] else { continue }
      let alone = RoleAuthority(
        role: authority.role, keys: KeyThreshold(keyIDs: [id], threshold: 1), ring: authority.ring)
      guard try !Self.isSigned(signatures, message, alone), try Self.isSigned(other.signatures, message, alone) else {
        continue
      }
      signatures.set(signature, of: id)
      count += 1
    }
    return count
  }

  private static func isSigned(
    _ signatures: RoleSignatures, _ message: [UInt8], _ authority: RoleAuthority
  ) throws(SignetError) -> Bool {
    do throws(SignetError) {
      try authority.check(signatures, over: message, of: authority.role)
      return true
    } catch  where error.code == .tufThreshold {
      return false
    }
  }
}

extension UnverifiedMetadata {
  /// What is signed: the canonical form of the role, without the signatures.
  package var content: [UInt8] { message }

  /// The number of keys of a role whose valid signatures the file has.
  ///
  /// - Throws: `crypto.failure`.
  public func signers(of authority: RoleAuthority) throws(SignetError) -> Int {
    var count = 0
    for id in authority.keys.keyIDs {
      let alone = RoleAuthority(
        role: authority.role, keys: KeyThreshold(keyIDs: [id], threshold: 1), ring: authority.ring)
      do throws(SignetError) {
        _ = try verified(by: alone)
        count += 1
      } catch  where error.code == .tufThreshold {
        continue
      }
    }
    return count
  }
}

extension KeyThreshold {
  /// Whether the same keys must sign, as many of them.
  public func hasSameSigners(as other: KeyThreshold) -> Bool {
    threshold == other.threshold
      && Set(keyIDs.map { Array($0.utf8) }) == Set(other.keyIDs.map { Array($0.utf8) })
  }
}
