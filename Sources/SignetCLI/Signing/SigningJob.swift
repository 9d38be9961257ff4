internal import Signet
internal import SignetCrypto

/// One file to be signed.
struct SigningJob {
  let path: String
  let name: String?
  let output: BundleOutput
  let notAfter: UnixTime?
  /// Files that are never replaced, beside the one that is signed.
  let kept: [FileStatus.Identity]

  /// Signs the file and writes the bundle.
  ///
  /// - Returns: where the bundle was written.
  func run(_ signer: Signer, _ console: Console) throws(SignetError) -> String {
    let file = try RegularFile(opening: path)
    let inputs = kept + [file.status.identity]
    let now = SystemTime.now()
    // Before a large file is hashed for nothing.
    try output.check(inputs)
    let subject = name ?? file.baseName
    let present = try output.present()
    let bundle = try ProgressBar.show(path, size: file.size, console) { (counter) throws(SignetError) in
      if output.append {
        return try signer.addSignature(to: present, of: .file(file), named: subject, at: now, progress: counter)
      }
      let claims = try Signer.FileClaims(name: subject, signedAt: now, notAfter: notAfter)
      return try signer.sign(.file(file), claims, progress: counter)
    }
    return try output.write(present + [bundle], inputs)
  }
}
