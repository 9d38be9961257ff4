package import SignetBase

/// Every bundle is beside the artifact that it is about.
package struct OrphanBundleRule: ReleaseRule {
  package static let about = RuleDescription(
    "orphan-bundle", "Every bundle is beside its artifact",
    help: """
      A bundle without its artifact is what is left of a file that was renamed, removed or forgotten. Nobody verifies \
      it, so it could hold anything. Put the artifact beside its bundle under the name that the bundle has, or remove \
      the bundle. A bundle of another program may be about several artifacts, and beside none: it names the SHA-256 of \
      at least one. If the policy leaves the artifact out, it must leave the bundle out, too.
      """, .error)

  package init(_ options: inout RuleOptions) {}

  package func check(_ release: ExaminedRelease, _ findings: inout RuleFindings) throws(SignetError) {
    for file in release.files.files {
      guard case .bundle(let artifact, isOrphan: true) = file.role,
        !release.attestations.areShared(at: file.path)
      else { continue }
      findings.note(
        "is a bundle of no artifact of the release", about: file.path, expected: artifact,
        found: Self.found(artifact, release.files), hint: Self.hint(artifact, file.path, release.files))
    }
  }

  private static func hint(_ artifact: String, _ bundle: String, _ files: ReleaseFiles) -> String {
    guard case .excluded = files.file(at: artifact)?.role else { return "find out what has become of the artifact" }
    return "leave the bundle out, too, with the pattern \(bundle), or check the artifact"
  }

  /// What is in the place of the artifact. The bundle of a file that is left out is an orphan, too.
  private static func found(_ artifact: String, _ files: ReleaseFiles) -> String {
    switch files.file(at: artifact)?.role {
    case nil: "nothing"
    case .excluded(let pattern): "a file that the pattern \(pattern) leaves out"
    case .link: "a link"
    case .bundle, .attestation: "a bundle"
    case .artifact, .directory, .part, .folder: "something else"
    }
  }
}
