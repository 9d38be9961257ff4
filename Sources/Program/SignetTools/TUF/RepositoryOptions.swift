internal import ArgumentParser
internal import SignetBase
internal import SignetCLI
internal import SignetSystem
internal import SignetTUF

/// How servers are reached.
struct ServerOptions: ParsableArguments {
  @OptionGroup var access: CredentialOptions

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Identify https servers by these authorities (PEM), not by the system's.", valueName: "path"),
    completion: .file())
  var authorities: String?

  @Option(
    name: .long,
    help: ArgumentHelp("Use this proxy. Those of the environment do not count.", valueName: "url"))
  var proxy: String?

  /// The places at addresses.
  var sources: MirrorSources { MirrorSources(credentials: access, authorities: authorities, proxy: proxy) }
}

/// A repository of The Update Framework on servers, and the folder with what is trusted of it.
struct RepositoryOptions: ParsableArguments {
  @OptionGroup var folder: MetadataFolderOptions

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The URL of the metadata. Repeat it for mirrors, the first to ask in front.", valueName: "url"))
  var metadataUrl: [String]

  @OptionGroup var server: ServerOptions

  /// A client whose time is now.
  ///
  /// - Parameter targetURLs: where targets are: nowhere, at one place, or at one for each URL of the metadata.
  /// - Throws: `fetch.url`; `file.…` for a folder that others may change.
  func client(targetURLs: [String] = []) throws(SignetError) -> TUFClient {
    try checkFolder()
    let sources = server.sources
    var mirrors: [RepositoryMirror] = []
    for (number, url) in metadataUrl.enumerated() {
      let source = try sources.source(url, hasLargeFiles: false)
      let place = targetURLs.isEmpty ? nil : targetURLs[min(number, targetURLs.count - 1)]
      let targetSource = try place.map { (place) throws(SignetError) in
        try sources.source(place, hasLargeFiles: true)
      }
      mirrors.append(RepositoryMirror(metadata: source, targets: targetSource ?? source))
    }
    return TUFClient(folder: TrustedMetadataFolder(folder.metadataDir), mirrors: mirrors, time: SystemTime.now())
  }

  /// Checks that no other user could exchange the trusted root.
  private func checkFolder() throws(SignetError) {
    do throws(SignetError) {
      _ = try TrustedPath.openFolder(folder.metadataDir)
    } catch  where error.code == .fileMissing {
      throw SignetError(
        .tufNoRoot, folder.metadataDir, "does not exist, so there is no trusted root",
        hint: "begin with the root of the repository: signet tuf init ROOT --metadata-dir DIR")
    }
  }
}
