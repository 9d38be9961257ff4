internal import Signet
internal import SignetBase
internal import SignetSystem

/// What a bundle claims that signs a bare digest (`messageSignature`), as `cosign sign-blob` writes it.
///
/// Signet accepts no such bundle. A user who inspects one still sees what it is about.
struct MessageSignature {
  /// The name and text of each claim.
  private let claims: [(String, String)]

  /// Reads a file with one bundle; nil if it is not of this kind.
  init?(_ path: String) {
    guard let file = try? RegularFile(opening: path), file.size <= JSONLimits.bundle.size,
      let text = try? file.bytes(in: 0..<file.size), let value = try? JSONReader.read(text, limits: .bundle),
      var bundle = try? JSONObject(value, "bundle", unknownField: .bundleUnknownField),
      let format = try? bundle.string("mediaType"), var message = try? bundle.object("messageSignature"),
      let signature = try? message.bytes("signature")
    else { return nil }
    var claims = [("format", format), ("signature", "\(signature.count) bytes over a bare digest")]
    if var digest = try? message.object("messageDigest"), let algorithm = try? digest.string("algorithm"),
      let bytes = try? digest.bytes("digest")
    {
      claims.append((algorithm.isExactly("SHA2_256") ? "sha256" : algorithm, Hexadecimal.encode(bytes)))
    }
    self.claims = claims
  }

  /// The claims in lines.
  var lines: [String] {
    claims.map { name, text in
      "  \(name.display)\(String(repeating: " ", count: max(1, 16 - name.utf8.count)))\(text.display)"
    }
  }
}
