internal import SignetBase
internal import SignetCrypto

extension StoreState {
  /// Puts this state in the place of the one that is there: written whole to a temporary file, synced, renamed. The name
  /// is not synced.
  func write(into root: StoreFolder, by staging: StoreFolder) throws(SignetError) {
    let text = try text()
    let name = StagingName.new("state")
    do throws(SignetError) {
      try staging.makeSyncedFile(name, text)
      try staging.replace(root, Self.name, with: name)
    } catch {
      try? staging.remove(name)
      throw error
    }
  }
}

/// Names in `staging/`.
enum StagingName {
  /// What somebody may still use, who opened it before it was removed.
  static let removed = "old"

  /// A name that nothing has.
  static func new(_ purpose: String) -> String {
    "\(purpose)-\(String(UInt64.random(in: .min ... .max), radix: 36))"
  }

  /// Whether somebody may still use it.
  static func mayBeInUse(_ name: String) -> Bool { name.hasPrefix("\(removed)-") }
}
