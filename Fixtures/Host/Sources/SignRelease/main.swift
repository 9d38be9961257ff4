import Foundation
import Signet
import SignetCrypto

/// Signs every file below a folder under its path from there, as `signet sign --each` does.
///
/// - Returns: the paths.
func sign(_ folder: URL, by key: PrivateKey, at time: UnixTime) throws -> [String] {
  let signer = try Signer(key)
  let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().filter { path in
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: folder.appending(path: path).path, isDirectory: &isFolder)
    return isThere && !isFolder.boolValue && !path.hasSuffix(".sigstore.json")
  }
  for path in paths {
    // Verifiers compare the path, so that two files of the same name cannot be exchanged.
    let claims = try Signer.FileClaims(name: path, signedAt: time)
    let bundle = try signer.sign(.file(RegularFile(opening: folder.appending(path: path).path)), claims)
    // A bundle that is there already is kept: signing again would hide that a file was changed.
    try Data(bundle.canonicalBytes())
      .write(to: folder.appending(path: path + ".sigstore.json"), options: .withoutOverwriting)
  }
  return paths
}

let arguments = CommandLine.arguments
guard arguments.count == 3 else {
  print("usage: SignRelease KEY FOLDER")
  exit(64)
}
do {
  let file = SecretBytes(Array(try Data(contentsOf: URL(filePath: arguments[1]))))
  let key = try PrivateKey(file: file, passphrase: { nil })
  let time = UnixTime(seconds: Int64(Date().timeIntervalSince1970))
  for path in try sign(URL(filePath: arguments[2]), by: key, at: time) { print("signed: \(path)") }
} catch {
  print("\(error)")
  exit(2)
}
