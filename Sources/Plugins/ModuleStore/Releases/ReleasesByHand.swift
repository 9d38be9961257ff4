internal import Signet
package import SignetBase

/// The releases that somebody has installed while the store had the note of an installation of a Modfile that had ended
/// before its change (`placing.lock`).
///
/// The note names releases, and perhaps these. Nothing else would tell that they did not come from that installation.
extension ModuleStore {
  /// The most bytes of the file: all releases of all modules, of the longest names.
  private static let limit = 8 << 20

  /// Writes down a release that is about to be listed.
  ///
  /// - Throws: `store.write-failed`; `store.state-malformed`, `file.…`.
  func note(byHand release: ReleaseName) throws(SignetError) {
    guard try root.has(Self.placingName) else { return }
    var lines = try releasesByHand()
    guard lines.insert("\(release)").inserted else { return }
    let text = lines.sorted { $0.precedesInBytes($1) }.map { $0 + "\n" }.joined()
    let name = StagingName.new("by-hand")
    do throws(SignetError) {
      try staging.makeSyncedFile(name, Array(text.utf8))
      try staging.replace(root, Self.byHandName, with: name)
      try root.sync()
    } catch {
      try? staging.remove(name)
      throw error
    }
  }

  /// The names of the releases.
  ///
  /// - Throws: `store.state-malformed`; `file.…`.
  package func releasesByHand() throws(SignetError) -> Set<String> {
    do throws(SignetError) {
      let file = try root.file(Self.byHandName)
      guard let text = String(validating: try file.bytes(limit: Self.limit), as: UTF8.self) else {
        throw SignetError(
          .storeStateMalformed, file.path, "is not a list of releases",
          expected: "an identifier and a sequence a line",
          hint: "remove it; then releases may count as a Modfile's that were installed by hand")
      }
      return Set(text.split(separator: "\n").map(String.init))
    } catch  where error.code == .fileMissing { return [] }
  }

  /// Forgets them, once there is no note that may name them.
  ///
  /// - Throws: `store.write-failed`.
  package func forgetReleasesByHand() throws(SignetError) {
    guard try root.has(Self.byHandName) else { return }
    try root.remove(Self.byHandName)
    try root.sync()
  }
}
