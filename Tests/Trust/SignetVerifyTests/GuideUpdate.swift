import Foundation
import SignetVerify

/// A program that replaces itself by its next release.
struct Updater {
  /// The path of the program.
  let program: String
  /// The version that runs: three numbers.
  let version: [Int]
  /// The publisher's public key, which is compiled in.
  let publicKey: String

  /// Replaces the program by a downloaded release, such as "/tmp/tool-1.3.0" with "/tmp/tool-1.3.0.sigstore.json" beside it.
  /// - Throws: a `Refusal` if the publisher has not signed the release under its name; then nothing has changed.
  func replace(by download: String, version next: [Int]) throws {
    guard version.lexicographicallyPrecedes(next) else { throw NotNewer() }
    // What is verified is what is written: the file is read once.
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: download)))
    let name = "tool-" + next.map(String.init).joined(separator: ".")
    let policy = try TrustPolicy(trusting: [PublicKey(text: publicKey)])
    _ = try Verifier(policy: policy, clock: .system).verify(
      .bytes(bytes), signatures: .beside(download), expecting: .file(named: name)
    ).get()

    // A user who starts the program meanwhile gets the old one or the new one, whole.
    let new = program + ".new"
    try Data(bytes).write(to: URL(fileURLWithPath: new))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: new)
    guard rename(new, program) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  struct NotNewer: Error {}
}
