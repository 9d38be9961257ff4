internal import Keyless
internal import ModuleInstaller
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetCrypto
internal import SignetSystem

/// The trust policy of a project that is begun, or to which a publisher is added.
struct ProjectPolicy {
  private let path: String
  /// The policy that is there, which no other run changes meanwhile; nil if there is none, or nothing to add.
  private let file: PolicyFile?
  /// What is written; nil if the policy stays as it is.
  private let policy: TrustPolicy?
  /// Whether the policy trusts nobody.
  let isEmpty: Bool
  /// What becomes of it, as the end of a line.
  let words: String

  /// Reads what is there, and makes what is to be written.
  ///
  /// A key that is trusted for the same modules already is not added again.
  ///
  /// - Parameters:
  ///   - keys: the keys to trust, as \--key takes them.
  ///   - name: the name of the entries; a name that is taken gets a number.
  ///   - modules: the modules that they are trusted for.
  /// - Throws: `file.…`, `key.…`, `policy.…`.
  init(
    _ path: String, trusting keys: [String], as name: String, for modules: [String]
  ) throws(SignetError) {
    self.path = path
    let isThere = (try? FileStatus(ofLink: path)) != nil
    file = isThere && !keys.isEmpty ? try PolicyFile(path, allowTestKeys: false) : nil
    let before: TrustPolicy
    if let file {
      before = file.policy
    } else {
      before = isThere ? try TrustPolicy(trustedFile: path, with: .all) : try TrustPolicy(entries: [])
    }
    let scope = TrustScope(modules: modules.compactMap { ModulePattern($0) }, uris: [], files: [])
    var entries = before.entries
    for key in keys {
      let anchor = TrustAnchor.key(try KeyFile.publicKey(key))
      guard !entries.contains(where: { $0.anchor == anchor && $0.scope == scope }) else { continue }
      var (free, number) = (name, 1)
      while entries.contains(where: { $0.name.isExactly(free) }) {
        number += 1
        free = "\(name)-\(number)"
      }
      entries.append(try TrustEntry(free, anchor, scope: scope))
    }
    isEmpty = entries.isEmpty
    policy = isThere && entries.count == before.entries.count ? nil : try before.with(entries)
    words =
      policy == nil
      ? "kept as it was" + (isEmpty ? ", which trusts no one yet" : "")
      : isEmpty ? "which trusts no one yet" : "to look at: signet trust list \(path.shellWord)"
  }

  /// Writes the policy, if it changes.
  ///
  /// - Throws: `file.changed`, `output.…`.
  func write() throws(SignetError) {
    guard let policy else { return }
    if let file { try file.replace(with: policy) } else { try PolicyFile.begin(policy, at: path) }
  }
}
