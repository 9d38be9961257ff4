internal import Signet
internal import SignetCrypto

/// One file to be signed.
struct SigningJob {
  let path: String
  let name: String?
  let output: BundleOutput
  let notAfter: UnixTime?

  /// Signs the file and writes the bundle.
  ///
  /// - Returns: where the bundle was written.
  func run(_ signer: Signer, _ key: FileStatus.Identity, _ console: Console) throws(SignetError) -> String {
    let file = try RegularFile(opening: path)
    let inputs = [key, file.status.identity]
    // Before a large file is hashed for nothing.
    try output.check(inputs)
    let subject = name ?? file.baseName
    let present = try output.present()
    let bundle = try ProgressBar.show(path, size: file.size, console) { (counter) throws(SignetError) in
      if output.append {
        return try signer.addSignature(to: present, of: .file(file), named: subject, progress: counter)
      }
      let claims = try Signer.FileClaims(name: subject, signedAt: SystemTime.now(), notAfter: notAfter)
      return try signer.sign(.file(file), claims, progress: counter)
    }
    return try output.write(present + [bundle], inputs)
  }
}
