internal import Signet
package import SignetBase
internal import SignetCrypto

/// A file whose name has a version keeps its bytes from release to release.
package struct ReusedVersionRule: ReleaseRule {
  package static let about = RuleDescription(
    "reused-version", "A file with a version in its name has the bytes that it had in the last release",
    help: """
      People keep tool-1.2.0.deb, and caches, mirrors and lock files expect that it never changes. If a new release has \
      other bytes under the same name, two files are called alike and only one of them passes the next check. Give \
      the new file a higher version. If its name has a version that is not its own, such as python3.11.html, allow it \
      in the policy. Modules are compared by their descriptions, by the rule version.
      """,
    options: [("allow", "patterns of files that may change under the same name")],
    .error)

  private let allowed: [PathPattern]

  package init(_ options: inout RuleOptions) throws(SignetError) {
    allowed = try options.patterns("allow", like: "*.html")
  }

  package func check(_ release: ExaminedRelease, _ findings: inout RuleFindings) {
    guard let baseline = release.baseline else { return }
    for new in release.artifacts {
      // Only the last name: a version in a folder's name may be that of all files in it.
      guard VersionlessPath.bytes(of: new.baseName) != nil, !allowed.contains(where: { $0.covers(new.path) }),
        let old = baseline.artifact(at: new.path), new.module == nil || old.module == nil,
        !new.hasSameBytes(as: old)
      else { continue }
      findings.note(
        "has the name of a file of the last release, with its version and other bytes", about: new.path,
        expected: "SHA-256 \(old.sha256.hex)", found: new.sha256.hex, hint: "give it a higher version")
    }
  }
}
