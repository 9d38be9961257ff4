package import SignetBase

/// Every symbolic link is one that the policy expects.
package struct LinkRule: ReleaseRule {
  package static let about = RuleDescription(
    "link", "Every symbolic link is one that the policy expects",
    help: """
      Nothing signs a link. One that takes the place of linux/tool can lead to macos/tool, to an older release, or to a \
      file that the policy leaves out. A copy of the release then has those bytes under the other name. Replace the \
      link by the file and sign it, or name the link in the option allow. A link to a file that is left out is a \
      finding whatever the policy allows, because nobody has verified the file. A link within a directory that is \
      signed as a whole is signed with it. A link that leads out of the release is an error.
      """,
    options: [("allow", "patterns of links that may be there, such as latest; usually none")], .error)

  private let allowed: [PathPattern]

  package init(_ options: inout RuleOptions) throws(SignetError) {
    allowed = try options.patterns("allow", like: "latest")
  }

  package func check(_ release: ExaminedRelease, _ findings: inout RuleFindings) throws(SignetError) {
    for file in release.files.files {
      guard case .link(let target) = file.role else { continue }
      if case .excluded(let pattern)? = release.files.file(at: target)?.role {
        findings.note(
          "is a link to what is left out, and so not verified", about: file.path,
          expected: "a link to a signed file", found: "a link to \(target), which \(pattern) leaves out",
          hint: "replace it by a file, and sign that")
        continue
      }
      guard !allowed.contains(where: { $0.covers(file.path) }) else { continue }
      findings.note(
        "is a link that nobody has signed", about: file.path, expected: "a signed file", found: "a link to \(target)",
        hint: "find out who has made it; users need the file itself, signed where it is")
    }
  }
}
