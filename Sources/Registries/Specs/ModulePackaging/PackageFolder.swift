internal import Signet
internal import SignetBase
internal import SignetSystem

/// The folder of a package, NAME-VERSION, and the names of its files.
package struct PackageFolder {
  /// The folder's path.
  package let path: String
  /// The name of the module's archive.
  package let moduleName: String
  /// The name of the source archive.
  package let sourceName: String
  private let parent: String
  private let name: String

  init(_ out: String, name: String, version: SemanticVersion) {
    self.name = "\(name)-\(version)"
    parent = out
    path = out.isExactly(".") ? self.name : "\(out)/\(self.name)"
    moduleName = "\(self.name).zip"
    sourceName = "\(self.name)-source.zip"
  }

  /// The names of all files, in the order of their bytes.
  package var fileNames: [String] {
    [moduleName, sourceName].flatMap { [$0, BundleFile.single($0), ProvenancePredicate.place(beside: $0)] }
      .sorted { $0.precedesInBytes($1) }
  }

  /// Checks that the package can get its name.
  ///
  /// - Parameter replaces: whether a package of that name may be there. A folder with anything else is never replaced.
  /// - Throws: `package.exists`; `file.…`.
  func check(replacing replaces: Bool) throws(SignetError) {
    guard (try? FileStatus(ofLink: path)) != nil else { return }
    guard replaces else {
      throw SignetError(
        .packageExists, path, "exists already", hint: "choose another folder with --out, or replace it with --force")
    }
    let found = try Directory(opening: parent).subdirectory(name).entryNames()
    if let other = found.first(where: { name in !fileNames.contains { $0.isExactly(name) } }) {
      throw SignetError(
        .packageExists, path, "is no package, so it is not replaced", expected: "the files of a package alone",
        found: other.display, hint: "move it away")
    }
  }

  /// Gives a finished folder the package's name.
  ///
  /// - Parameters:
  ///   - product: the name of the finished folder in the draft.
  ///   - draft: a folder that is removed afterwards, with the package that was replaced.
  /// - Throws: `package.exists`, `output.failed`; what ``check(replacing:)`` throws.
  func take(_ product: String, from draft: Directory, replacing replaces: Bool) throws(SignetError) {
    // Another package may have appeared during the build.
    try check(replacing: replaces)
    let folder = try Directory(opening: parent)
    do throws(SystemFailure) {
      let isThere = try folder.status(of: name) != nil
      if isThere { try folder.move(name, to: draft, as: Self.replacedName) }
      do throws(SystemFailure) { try draft.move(product, to: folder, as: name) } catch {
        if isThere { try? draft.move(Self.replacedName, to: folder, as: name) }
        throw error
      }
    } catch {
      throw SignetError(.outputFailed, path, "cannot be written", cause: error)
    }
  }

  private static let replacedName = "replaced"
}
