internal import SignetArchive
internal import SignetNames

/// The folders of a package of Linux, which is unpacked at the root of a file system.
package struct PackageFolders: Sendable {
  /// The paths from the root, without a slash before or after them.
  private var paths: Set<[UInt8]> = []

  /// The folders of the system's own libraries (Filesystem Hierarchy Standard 3.0, 3.9, 3.10, 4.6 to 4.8). Only root can
  /// write to them, and to what is in them.
  private static let system = [
    "lib", "lib32", "lib64", "libx32", "usr/lib", "usr/lib32", "usr/lib64", "usr/libx32", "usr/libexec",
  ].map { $0.utf8.split(separator: slash).map { Array($0) } }
  private static let slash = UInt8(ascii: "/")

  /// - Parameter entries: those of the package, with their folders or without.
  init(of entries: [ArtifactContents.Entry]) {
    for entry in entries {
      var path = Array(entry.path.utf8)[...]
      if entry.content == .directory { paths.insert(Array(path)) }
      while let end = path.lastIndex(of: Self.slash) {
        path = path[..<end]
        guard paths.insert(Array(path)).inserted else { break }
      }
    }
  }

  /// Whether an absolute path is that of a folder in the package, or of the system's libraries.
  func have(_ path: ArraySlice<UInt8>) -> Bool {
    let names = path.split(separator: Self.slash).filter { !$0.elementsEqual(".".utf8) }.map { Array($0) }
    // A variable such as $LIB stands for names that are not known here, and .. may follow a link.
    guard !names.contains(where: { $0.elementsEqual("..".utf8) || $0.contains(UInt8(ascii: "$")) }) else {
      return false
    }
    return paths.contains(Array(names.joined(separator: [Self.slash])))
      || Self.system.contains { names.starts(with: $0) }
  }
}
