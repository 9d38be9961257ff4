internal import SignetBase
internal import SignetFiles
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
  /// What cannot be removed whole, such as somebody else's folder in it, gets another name, so that nothing of the last
  /// version is used. Otherwise each start would be the first one of a new version.
  ///
  /// - Parameter complain: is told of what has another name now. The next removal tries again to remove it.
  /// - Throws: `output.failed` if it keeps its name; `file.…` if the folder is there and cannot be read.
  func removeFetched(_ complain: (SignetError) -> Void) throws(SignetError) {
    let folder: Directory
    do throws(SignetError) { folder = try Directory(opening: documents) } catch  where error.code == .fileMissing {
      return
    }
    for name in [Self.bundlesName, Self.patchesName] {
      let others = (1...Self.leftLimit).map { "\(name).left-\($0)" }
      for other in others { try? folder.removeTree(named: other) }
      do throws(SystemFailure) { try folder.removeTree(named: name) } catch {
        let failure = SignetError(.outputFailed, "\(documents)/\(name)", "cannot be removed", cause: error)
        guard others.contains(where: { (try? folder.move(name, to: folder, as: $0)) != nil }) else { throw failure }
        complain(failure)
      }
    }
  }

  /// How many folders may be left that cannot be removed.
  private static let leftLimit = 8
}
