import Foundation
import Signet
import SignetCrypto
import TestSupport

@testable import PluginHost

/// Signed manifests, and the host that they are for.
enum ManifestFixture {
  static let host = "com.example.host"

  /// Writes a manifest with its statement beside it.
  @discardableResult static func write(
    _ text: String, _ sequence: Int = 1, in folder: TemporaryFolder, by key: PrivateKey, for host: String = host
  ) throws -> String {
    let path = folder.file("bundle.json")
    try Data(text.utf8).write(to: URL(filePath: path))
    let signed = text.hasPrefix("{") && (try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil
    let bundle = try Signer(key).sign(
      .bytes(Array(signed ? text.utf8 : "{}".utf8)),
      Signer.HostManifestClaims(
        name: "bundle.json", identifier: identifier(host), sequence: sequence, signedAt: ModuleWorkshop.time))
    try Data(bundle.canonicalBytes()).write(to: URL(filePath: path + ".sigstore.json"))
    return path
  }

  static func host(_ workshop: ModuleWorkshop) throws -> PluginHost {
    try workshop.host { $0.identifier = ModuleIdentifier(host) }
  }
}
