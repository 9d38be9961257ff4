public import SignetBase
internal import SignetSystem

/// Where the folders of a release are in the workspace of a service that shows findings beside files.
///
/// Such a service takes paths from the top of a checkout. A release is mostly a folder of it, such as `dist`.
public struct Workspace: Sendable {
  /// What comes before the paths of each folder; empty for a folder at the top, or outside.
  private let prefixes: [String]
  /// The folders of paths, by their bytes, if there are several.
  private var roots: [[UInt8]: Int] = [:]

  /// No workspace: paths are from the release's folders.
  static let none = Workspace(prefixes: [])

  private init(prefixes: [String]) { self.prefixes = prefixes }

  /// Finds the folders in a workspace.
  ///
  /// - Parameters:
  ///   - folders: the release's folders.
  ///   - top: the top of the workspace; nil for the checkout of git that holds each folder, if there is one.
  /// - Throws: `gate.workspace` if a folder is outside of `top`; what opening a directory throws.
  public init(of folders: [String], from top: String?) throws(SignetError) {
    let place = try top.map { (path) throws(SignetError) in try Self.place(of: path) }
    var prefixes: [String] = []
    for folder in folders {
      let path = try Self.place(of: folder)
      guard let place else {
        prefixes.append(Self.checkout(of: path).map { Self.prefix(of: path, in: $0) ?? "" } ?? "")
        continue
      }
      guard let prefix = Self.prefix(of: path, in: place) else {
        throw SignetError(
          .gateWorkspace, folder, "is outside of the folder that paths are to be from",
          expected: "a folder in \(place)", found: path, hint: "give --paths-from a folder that holds the release")
      }
      prefixes.append(prefix)
    }
    self.init(prefixes: prefixes)
  }

  /// The same workspace, which knows in which folder each path is.
  func knowing(_ files: ReleaseFiles) -> Workspace {
    guard prefixes.count > 1 else { return self }
    var workspace = self
    for file in files.files { workspace.roots[Array(file.path.utf8)] = file.root }
    return workspace
  }

  /// A path of the release, from the top of the workspace.
  func path(of path: String) -> String {
    let root = prefixes.count == 1 ? 0 : roots[Array(path.utf8)]
    return (root.map { prefixes[$0] } ?? "") + path
  }

  /// A folder's path from the root, without links.
  private static func place(of folder: String) throws(SignetError) -> String {
    try Directory(opening: "\(folder)/.").place()
  }

  /// The top of the checkout that holds a folder: a clone has a folder `.git`, and a worktree a file.
  private static func checkout(of path: String) -> String? {
    var names = path.split(separator: "/").map(String.init)
    while true {
      let top = "/" + names.joined(separator: "/")
      if !FileStatus.identities(of: ["\(top)/.git"]).isEmpty { return top }
      guard names.popLast() != nil else { return nil }
    }
  }

  /// What comes before the paths of a folder in another one; nil if it is not in it.
  private static func prefix(of path: String, in top: String) -> String? {
    if path.isExactly(top) { return "" }
    let start = top.isExactly("/") ? top : top + "/"
    guard path.utf8.starts(with: start.utf8) else { return nil }
    return String(decoding: path.utf8.dropFirst(start.utf8.count), as: UTF8.self) + "/"
  }
}
