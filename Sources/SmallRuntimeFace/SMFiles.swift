internal import PluginHost
internal import Signet
internal import SignetBase
internal import SignetSystem

/// The places of a host's files, with the names of Small.
struct SMFiles: Sendable {
  private static let manifestName = "bundle.json"
  private static let bundlesName = "bundles"
  private static let patchesName = "temp"
  private static let defaultsName = "small.json"

  private let main: String
  private let documents: String

  init(_ configuration: Small.Configuration) {
    main = configuration.main
    documents = configuration.documents
  }

  /// The manifest that ships with the host.
  var manifest: String { main + "/" + Self.manifestName }
  /// The manifest that was fetched.
  var fetchedManifest: String { "\(documents)/\(Self.bundlesName)/\(Self.manifestName)" }
  /// What Small remembers.
  var defaults: String { documents + "/" + Self.defaultsName }

  /// The patch of a module. Its name is the module's identifier, for whoever writes and for whoever reads it.
  func patch(of module: ModuleIdentifier) -> String { "\(documents)/\(Self.patchesName)/\(module).zip" }

  /// Makes the folder of what Small remembers.
  func makeFolder() { _ = try? Directory.make(documents, mode: 0o700) }

  /// Removes what was fetched: the manifest with its statement, and patches.
  func removeFetched() {
    for name in [Self.bundlesName, Self.patchesName] {
      try? Directory(opening: documents).removeTree(named: name)
    }
  }

  // MARK: Patches

  /// A patch of a module that waits to be installed.
  struct Patch: Sendable {
    let module: ModuleIdentifier
    let path: String
  }

  /// The patch of a module; nil if there is none.
  func waitingPatch(of module: ModuleIdentifier) -> Patch? {
    let path = patch(of: module)
    guard (try? RegularFile(openingNoFollow: path)) != nil else { return nil }
    return Patch(module: module, path: path)
  }

  /// The patches that wait, sorted by their modules.
  func patches() -> [Patch] {
    guard let names = try? Directory(opening: "\(documents)/\(Self.patchesName)").entryNames() else { return [] }
    return names.sorted().compactMap { name in
      guard name.hasSuffix(".zip"), let module = ModuleIdentifier(String(name.dropLast(4))) else { return nil }
      return waitingPatch(of: module)
    }
  }

  /// Removes a patch that was installed, with what is beside it.
  func remove(_ patch: Patch) { for name in names(of: patch) { try? folder()?.removeTree(named: name) } }

  /// Sets a patch aside that was refused, so that nothing installs it later.
  func setAside(_ patch: Patch) {
    guard let folder = folder() else { return }
    for name in names(of: patch) { try? folder.replace(name + ".refused", in: folder, with: name) }
  }

  private func folder() -> Directory? { try? Directory(opening: "\(documents)/\(Self.patchesName)") }

  private func names(of patch: Patch) -> [String] {
    ["", ".sigstore.json", ".sigstore.jsonl"].map { "\(patch.module).zip\($0)" }
  }
}
