package import SignetBase
internal import SignetSystem

/// A place in a project that the user has not named: the Modfile, its lock, the store, the sources, the first roots.
///
/// Version control keeps links, and anyone who may propose a change can add one. It would lead Signet to any file of the
/// user, to write or to show. So there is no link at such a place. A place that is named on the command line may be one.
package enum ProjectPlace {
  /// Checks that a place is no link.
  ///
  /// - Parameter option: the option that names another place; nil for a file beside the Modfile, whose name is the
  ///   Modfile's.
  /// - Throws: `install.link`; `file.unreadable` if that cannot be found out.
  package static func check(_ path: String, option: String?) throws(SignetError) {
    let status: FileStatus
    do throws(SignetError) { status = try FileStatus(ofLink: path) } catch  where error.code == .fileMissing {
      return
    }
    guard status.kind == .symbolicLink else { return }
    throw SignetError(
      .installLink, path, "is a link, and a project must not lead to places that you have not named",
      expected: "no link",
      hint: option.map { "look where it leads; if that is meant, name the place: \($0)" }
        ?? "put the file that it leads to in its place; or name the Modfile beside that file: --modfile PATH")
  }
}
