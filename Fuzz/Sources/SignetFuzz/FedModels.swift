import SignetCrypto

@testable import ModelSignatures
@testable import SignetVerify

/// What statements of OpenSSF Model Signing say is in models.
enum FedModels {
  private static let before = Array(
    (#"{"_type":"https://in-toto.io/Statement/v1","subject":[{"name":"m","digest":{"sha256":""#
      + String(repeating: "a", count: 64)
      + #""}}],"predicateType":"https://model_signing/signature/v1.0","predicate":"#).utf8)

  /// A predicate: each file has a digest, and parts are as long as they say.
  static func feed(_ bytes: [UInt8]) {
    guard let statement = try? Statement(payload: before + bytes + [0x7d]),
      let manifest = try? ModelManifest(statement)
    else { return }
    require(!manifest.files.isEmpty, "a model without files")
    for (path, file) in manifest.files {
      require(!path.isEmpty && path.first != 0x2f && !path.contains(0), "a path that leads elsewhere")
      require(!file.digests.isEmpty, "a file without a digest")
      require((file.size == nil) == (manifest.shardSize == nil), "a size that nothing says")
      if let size = file.size, let part = manifest.shardSize {
        require((size - 1) / part == file.digests.count - 1, "parts of other lengths")
      }
      if let left = manifest.leavesOut(path) {
        require(path.starts(with: left), "a path that is left out by another")
      }
    }
  }
}
