import Foundation
import Signet
import SignetCrypto
import TestSupport

@testable import PluginHost

/// Signed manifests, and the host that they are for.
enum ManifestFixture {
  static let host = "com.example.host"

  /// Writes a manifest with its statement beside it. A text that is no JSON object has one, too, as another tool would
  /// make it: Signet signs no such manifest.
  @discardableResult static func write(
    _ text: String, _ sequence: Int = 1, in folder: TemporaryFolder, by key: PrivateKey, for host: String = host
  ) throws -> String {
    let path = folder.file("bundle.json")
    try Data(text.utf8).write(to: URL(filePath: path))
    let predicate = HostManifestPredicate(
      identifier: try identifier(host), sequence: sequence, size: text.utf8.count, signedAt: ModuleWorkshop.time,
      notAfter: nil)
    let bundle = try Signer(key).sign(
      Statement(hostManifest: "bundle.json", digest: Digest.of(Array(text.utf8), .sha256), predicate))
    try Data(bundle.canonicalBytes()).write(to: URL(filePath: path + ".sigstore.json"))
    return path
  }

  static func host(_ workshop: ModuleWorkshop) throws -> PluginHost {
    try workshop.host { $0.identifier = ModuleIdentifier(host) }
  }
}
