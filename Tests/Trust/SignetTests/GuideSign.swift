import Signet
import SignetCrypto

/// Signs a file, and returns the text of the bundle: write it beside the file, as NAME.sigstore.json.
func bundle(for path: String, by key: PrivateKey, at time: UnixTime) throws -> [UInt8] {
  let file = try RegularFile(opening: path)
  let claims = try Signer.FileClaims(name: file.baseName, signedAt: time)
  return try Signer(key).sign(.file(file), claims).canonicalBytes()
}
