package import SignetBase
internal import SignetSystem

/// A second build of the release has the same bytes.
package struct ReproducibleRule: ReleaseRule {
  package static let about = RuleDescription(
    "reproducible", "A second build of the release has the same bytes",
    help: """
      If two builds of the same sources give the same bytes, nobody has to believe the machine that made the \
      release: anyone can build it again and compare. A difference is an accident of the build, such as a time or a \
      path, or somebody's change. The findings show the first different entries and bytes of each artifact. Remove \
      the cause and build again. Signatures in archives are not compared. The rule does nothing without --rebuild.
      """,
    .error)

  package init(_ options: inout RuleOptions) {}

  /// - Throws: `file.…`, `extraction.failed`.
  package func check(_ release: ExaminedRelease, _ findings: inout RuleFindings) throws(SignetError) {
    guard let rebuild = release.rebuild else { return }
    let artifacts = release.artifacts
    let comparison = RebuildComparison(release.files, rebuild)
    let differences = try WorkerThreads.map(artifacts.count) { (index) throws(SignetError) in
      try comparison.find(artifacts[index])
    }
    for (artifact, differences) in zip(artifacts, differences) {
      for difference in differences { difference.note(about: artifact.path, &findings) }
    }
    for file in rebuild.files where release.files.file(at: file.path) == nil {
      guard case .artifact = file.role, !isBelowArtifact(file.path, release.files) else { continue }
      findings.note(
        "is in the rebuild alone", about: file.path, expected: "the same files in both builds", found: "nothing",
        hint: "find out why the first build does not make it")
    }
  }

  /// Whether a path leads into something that is compared as a whole.
  private func isBelowArtifact(_ path: String, _ files: ReleaseFiles) -> Bool {
    var names = ReleasePath.names(of: path)
    while names.popLast() != nil, !names.isEmpty {
      switch files.file(at: names.joined(separator: "/"))?.role {
      case .artifact, .directory: return true
      default: continue
      }
    }
    return false
  }
}
