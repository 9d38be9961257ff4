package import Signet
internal import SignetArchive
package import SignetBase
package import SignetCrypto
internal import SignetSystem

/// The bundles of which a path speaks: it names a signed file or directory, or the bundles themselves.
package struct FoundBundles {
  private let path: String

  package init(_ path: String) { self.path = path }

  /// The bundles in the file and beside it, if there are any; otherwise those that the file consists of. None for an
  /// archive that is a module and that nobody has signed.
  ///
  /// - Throws: `signature.missing` if there is none; `signature.…`, `bundle.…`, `envelope.…`, `archive.…`, `file.…`.
  package func all() throws(SignetError) -> [SigstoreBundle] {
    // A directory's bundles are beside it, wherever the path leads.
    let place = (try? Directory(opening: path).place()) ?? path
    let beside = [BundleFile.single(place), BundleFile.several(place)].filter {
      !FileStatus.identities(of: [$0]).isEmpty
    }
    var bundles = try attached()
    var texts: Set<[UInt8]> = []
    for bundle in bundles { texts.insert(try bundle.canonicalBytes()) }
    for file in beside {
      // Attached bundles are often beside the archive, too.
      for bundle in try SigstoreBundle.all(in: file) {
        let text = try bundle.canonicalBytes()
        if texts.insert(text).inserted { bundles.append(bundle) }
      }
    }
    guard bundles.isEmpty else { return bundles }
    if let file = try? RegularFile(opening: path), try Artifact.file(file).moduleToSign() != nil { return [] }
    do throws(SignetError) {
      return try SigstoreBundle.all(in: path)
    } catch  where error.code == .signatureMalformed && !isJSON {
      throw SignetError(
        .signatureMissing, path, "has no signature, neither inside nor beside it",
        hint: "name a bundle, or a file that has one")
    }
  }

  /// The certificates in the bundles, which nobody has verified.
  ///
  /// - Throws: what ``all()`` throws; `certificate.…`.
  package func certificates() throws(SignetError) -> [Certificate] {
    var certificates: [Certificate] = []
    for bundle in try all() {
      let chain: [[UInt8]] =
        switch bundle.material {
        case .publicKey: []
        case .certificate(let der): [der]
        case .certificateChain(let chain): chain
        }
      for der in chain { certificates.append(try Certificate(der: der)) }
    }
    return certificates
  }

  /// Whether the file could be intended as a bundle.
  private var isJSON: Bool {
    guard let file = try? RegularFile(opening: path), file.size > 0 else { return true }
    return (try? file.bytes(in: 0..<1)) == [UInt8(ascii: "{")]
  }

  /// The bundles in the file; none if it is not an archive that could have some.
  func attached() throws(SignetError) -> [SigstoreBundle] {
    guard let file = try? RegularFile(opening: path) else { return [] }
    do throws(SignetError) {
      return try AttachedArchive.bundles(in: .file(file))
    } catch  where Set.aboutArchives.contains(error.code) {
      return []
    }
  }
}
