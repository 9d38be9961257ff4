package import Signet

/// Where the files of a module are among the targets of a registry.
///
/// `com/example/player/1.2.0/module.zip` is an archive, and `com/example/player/releases/index.json` is the index of all
/// releases of the module. Both have as many components as the identifier has labels, and two more. So one pattern of a
/// delegation covers a module with its index, and no module that begins with the same labels.
package enum RegistryLayout {
  /// The number of labels of an identifier up to which a registry takes modules.
  ///
  /// A pattern of The Update Framework matches paths of one depth, so `com.example.**` becomes one pattern for each
  /// depth. Without a limit that would be 126 patterns for each publisher, which all clients fetch.
  package static let labelLimit = 8

  /// The base name of an archive's file.
  package static let archiveName = "module"
  /// The base name of a source archive's file.
  package static let sourceName = "source"
  /// The folder of the index beside those of the versions.
  package static let indexFolder = "releases"
  private static let indexName = "index.json"

  /// The labels of an identifier.
  package static func labels(_ identifier: ModuleIdentifier) -> [String] {
    identifier.description.split(separator: ".").map(String.init)
  }

  private static func folder(_ identifier: ModuleIdentifier) -> String {
    labels(identifier).joined(separator: "/")
  }

  /// The target's path of a file of a release.
  package static func path(
    of file: String, _ identifier: ModuleIdentifier, _ version: SemanticVersion
  ) -> String {
    "\(folder(identifier))/\(version)/\(file)"
  }

  /// The target's path of a module's index.
  package static func indexPath(of identifier: ModuleIdentifier) -> String {
    "\(folder(identifier))/\(indexFolder)/\(indexName)"
  }

  /// The module whose index is at a target's path; nil for any other target.
  package static func module(ofIndex path: String) -> ModuleIdentifier? {
    let names = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard names.count > 2, names[names.count - 1].elementsEqual(indexName.utf8),
      names[names.count - 2].elementsEqual(indexFolder.utf8)
    else { return nil }
    let labels = names.dropLast(2).map { String(decoding: $0, as: UTF8.self) }
    guard let identifier = ModuleIdentifier(labels.joined(separator: ".")),
      indexPath(of: identifier).utf8.elementsEqual(path.utf8)
    else { return nil }
    return identifier
  }
}
