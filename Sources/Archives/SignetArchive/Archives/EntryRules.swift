package import SignetBase
package import SignetNames

extension ArchiveRules {
  /// Checks the rules for the entries of an archive.
  ///
  /// - Throws: what ``check(_:_:)-(some Collection<(String, EntryContent)>,_)`` throws.
  package static func check(_ entries: [ArchiveEntry], _ limits: ArchiveLimits) throws(SignetError) {
    try check(entries.lazy.map { ($0.path, $0.content) }, limits)
  }
}
