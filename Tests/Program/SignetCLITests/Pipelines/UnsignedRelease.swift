import Foundation
import TestSupport

#if os(Linux)
  /// A release with hostile names that nobody has signed yet, in the folder `release`, with a key for it and the policy
  /// `release.json` that trusts the key. It is for runs of the real program.
  struct UnsignedRelease {
    /// Where the program is that was built with these tests.
    static let signet = Shell.signet
    /// The names of its files. None may do anything in a shell, a log or a report.
    static let names = HostileText.all + ["new\nline", " lead", "trail ", "tool"]
    /// The file that ``tamper()`` changes.
    static let tampered = "$(touch pwned)"

    /// The private key, as text.
    let key: String
    /// The public key, as text.
    let publicKey: String
    /// The SHA-256 of the policy.
    let pin: String
    /// The file with the private key, which is not in the workspace.
    var keyFile: String { keys.file("k ey") }
    private let folder: TemporaryFolder
    private let keys: TemporaryFolder

    struct Fault: Error {
      let message: String
    }

    /// - Parameter folder: the workspace, in which the release is made.
    init(in folder: TemporaryFolder) throws {
      self.folder = folder
      keys = try TemporaryFolder()
      let made = try Program.run(Self.signet, ["keygen", "--no-passphrase", "--out", keys.file("k ey")])
      guard made.status == 0 else { throw Fault(message: made.errors) }
      key = String(decoding: try keys.read("k ey"), as: UTF8.self)
      publicKey = String(decoding: try keys.read("k ey.pub"), as: UTF8.self)
      let encoded = publicKey.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
      let policy = """
        {"version":1,"trust":{"version":1,"entries":[{"name":"publisher","key":"\(encoded)","files":["*"]}]}}
        """
      try folder.write("release.json", Array(policy.utf8))
      pin = String(try Shell.run("sha256sum < release.json", in: folder.path).output.prefix(64))
      try FileManager.default.createDirectory(atPath: folder.file("release"), withIntermediateDirectories: false)
      for name in Self.names { try folder.write("release/" + name, Array(name.utf8)) }
    }

    /// Signs it with the real program, without a pipeline.
    func sign() throws {
      let signed = try Program.run(Self.signet, ["sign", "--each=release", "--key", keyFile], in: folder.path)
      guard signed.status == 0 else { throw Fault(message: signed.errors) }
    }

    /// Changes a byte of a file that was signed.
    func tamper() throws { try folder.write("release/" + Self.tampered, Array("$(touch Pwned)".utf8)) }

    /// What is in the release's folder once every file is signed, sorted.
    var signedNames: [String] { (Self.names + Self.names.map { $0 + ".sigstore.json" }).sorted() }

    /// What is in the release's folder now, sorted.
    func found() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.file("release")).sorted()
    }
  }
#endif
