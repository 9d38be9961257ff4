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

  /// The folder of patches for the next start.
  var patches: String { "\(documents)/\(Self.patchesName)" }

  /// Makes the folder of what Small remembers.
  func makeFolder() { _ = try? Directory.make(documents, mode: 0o700) }

  /// Removes what was fetched: the manifest with its statement, and patches.
  ///
  /// - Throws: `output.failed`; `file.…` if the folder is there and cannot be read.
  func removeFetched() throws(SignetError) {
    let folder: Directory
    do throws(SignetError) { folder = try Directory(opening: documents) } catch  where error.code == .fileMissing {
      return
    }
    for name in [Self.bundlesName, Self.patchesName] {
      do throws(SystemFailure) { try folder.removeTree(named: name) } catch {
        throw SignetError(.outputFailed, "\(documents)/\(name)", "cannot be removed", cause: error)
      }
    }
  }
}
