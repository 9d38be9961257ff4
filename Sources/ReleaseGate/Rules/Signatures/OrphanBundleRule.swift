package import SignetBase

/// Every bundle is beside the artifact that it is about.
package struct OrphanBundleRule: GateRule {
  package static let about = RuleDescription(
    "orphan-bundle", "Every bundle is beside its artifact",
    help: """
      A bundle without its artifact is what is left of a file that was renamed, removed or forgotten. Nobody verifies \
      it, so it could hold anything. Put the artifact beside its bundle under the name that the bundle has, or remove \
      the bundle. If the policy leaves the artifact out, it must leave the bundle out, too.
      """, .error)

  package init(_ options: inout RuleOptions) {}

  package func check(_ release: ExaminedRelease, _ findings: inout RuleFindings) throws(SignetError) {
    for file in release.files.files {
      guard case .bundle(let artifact, isOrphan: true) = file.role else { continue }
      findings.note(
        "is a bundle of no artifact of the release", about: file.path, expected: artifact,
        hint: "put the artifact there, or remove the bundle; if the artifact is left out, leave the bundle out, too")
    }
  }
}
