internal import SignetBase
package import SignetVerify

extension BundleFile {
  /// The path of the artifact that a file would hold bundles of; nil if it is not named as a file of bundles.
  package static func artifact(of path: String) -> String? {
    for suffix in [single(""), several("")] where path.utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) {
      let artifact = String(decoding: path.utf8.dropLast(suffix.utf8.count), as: UTF8.self)
      return artifact.isEmpty || artifact.utf8.last == UInt8(ascii: "/") ? nil : artifact
    }
    return nil
  }

  /// Whether a file holds bundles, judged by its name and its content.
  package static func holdsBundles(_ path: String) -> Bool {
    artifact(of: path) != nil && (try? SigstoreBundle.all(in: path)).map { !$0.isEmpty } ?? false
  }
}
