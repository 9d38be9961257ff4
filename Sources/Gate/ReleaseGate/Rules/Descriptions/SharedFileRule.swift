internal import Signet
package import SignetBase
internal import SignetCrypto

/// No two modules hold the same file.
package struct SharedFileRule: ReleaseRule {
  package static let about = RuleDescription(
    "shared-file", "No two modules hold the same file",
    help: """
      A file that two modules hold is downloaded and stored twice, and when it changes, one of the copies is easily \
      forgotten. Put it into a module of its own, which the others name in `requires`, or into the host. Files are \
      compared by their content, whatever they are called. Allow in the policy what each module has to hold, such as \
      a licence.
      """,
    options: [
      ("bytes", "the size from which a file counts; usually 1024"),
      ("allow", "patterns of files that several modules may hold, such as LICENSE"),
    ],
    .warning)

  private let least: Int
  private let allowed: [PathPattern]

  package init(_ options: inout RuleOptions) throws(SignetError) {
    least = try options.count("bytes", usually: 1024)
    allowed = try options.patterns("allow", like: "LICENSE")
  }

  /// The first place of a file's content.
  private struct Place {
    let module: ModuleIdentifier
    let artifact: String
    let path: String
  }

  package func check(_ release: ExaminedRelease, _ findings: inout RuleFindings) {
    var known: [Digest: Place] = [:]
    for each in release.modules.all {
      let module = each.description.identifier
      // A module that has a file twice has one finding for it.
      var noted: Set<Digest> = []
      for entry in each.predicate.contents.entries {
        guard case .file(_, let size, let sha256) = entry.content, size >= least,
          !allowed.contains(where: { $0.covers(entry.path) })
        else { continue }
        guard let first = known[sha256] else {
          known[sha256] = Place(module: module, artifact: each.artifact.path, path: entry.path)
          continue
        }
        guard first.module != module, noted.insert(sha256).inserted else { continue }
        findings.note(
          "is a file that another module holds, too", about: each.artifact.path, entry: entry.path,
          expected: "one module that holds it, and others that require it",
          found: "\(first.path) in \(first.artifact)",
          hint: "put the file into a module of its own, or remove the copy that is not needed")
      }
    }
  }
}
