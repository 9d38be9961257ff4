internal import OtherSignatures
internal import Signet
internal import SignetBase

/// A signature of another program that a command came upon: what it claims, and the command that verifies it.
struct OtherSignatureReport {
  /// The file of the signature; that of the artifact, if the signature is inside.
  let path: String
  let signature: OtherSignature
  /// The key that the user trusts, if it is a file that the signature's program reads.
  private var key: SignerKey?

  /// The signatures of other programs beside a file and in it.
  ///
  /// - Parameter key: what the user gave as the key that is trusted.
  static func all(about artifact: String, key: String? = nil) -> [OtherSignatureReport] {
    let key = key.flatMap { SignerKey($0) }
    return OtherSignature.beside(artifact).map { OtherSignatureReport($0.path, $0.signature, key) }
      + [OtherSignature(inside: artifact)].compactMap { signature in
        signature.map { OtherSignatureReport(artifact, $0, key) }
      }
  }

  /// The signature that a file is; nil if it is none of another program.
  ///
  /// - Parameters:
  ///   - isSaid: whether somebody says that it is a signature.
  ///   - key: what the user gave as the key that is trusted.
  init?(_ path: String, isSaid: Bool, key: String? = nil) {
    guard let signature = OtherSignature(file: path, isSaid: isSaid) else { return nil }
    self.init(path, signature, key.flatMap { SignerKey($0) })
  }

  private init(_ path: String, _ signature: OtherSignature, _ key: SignerKey?) {
    (self.path, self.signature, self.key) = (path, signature, key)
  }

  /// Whether it is what bundles hold, without one.
  var isEnvelope: Bool { signature.format == .envelope }

  /// What it is and who claims to have made it, as the rest of a sentence.
  private var words: String {
    let maker = signature.claims.first { ["signer", "key"].contains($0.name) }
    let whole = signature.isCutOff ? ", whose file ends before it does" : ""
    return signature.format.name + whole + (maker.map { ", which names \($0.name) \($0.text)" } ?? "")
  }

  private func command(_ artifact: String) -> String? {
    signature.command(verifying: artifact, signature: path, key: key)
  }

  /// A command that can be shown as it is, and pasted: no character of it is escaped, and nothing is cut.
  private func visibleCommand(_ artifact: String) -> String? {
    command(artifact).flatMap { $0.display == $0 && $0.utf8.count < Self.commandLimit ? $0 : nil }
  }

  /// Messages cut what is longer.
  private static let commandLimit = 330

  /// What its reader does next.
  private func next(_ artifact: String) -> String {
    guard !signature.isCutOff else { return "get the file of the signature from its publisher again" }
    guard let command = visibleCommand(artifact) else {
      return
        "verify it with its own program; signet inspect --json shows the command, whose names cannot be shown here"
    }
    return Self.isOwn(command) ? "verify it: \(command)" : "verify it with its own program: \(command)"
  }

  /// Says of a file without a signature of Signet which other signatures there are.
  ///
  /// - Parameter key: what the user gave as the key that is trusted.
  /// - Returns: false if there is none.
  static func explain(_ error: inout SignetError, _ artifact: String, key: String?) -> Bool {
    let others = all(about: artifact, key: key)
    guard let first = others.first else { return false }
    error.found = others.map { ($0.path == artifact ? "inside: " : "\($0.path): ") + $0.words }.joined(
      separator: "; ")
    guard let command = first.visibleCommand(artifact) else {
      error.hint = first.next(artifact)
      return true
    }
    guard !Self.isOwn(command) else {
      error.hint = "if the bytes alone are enough, verify it: \(command)"
      return true
    }
    error.hint =
      "Signet does not verify it; its own program does: \(command). For Signet, get the bundle from the "
      + "artifact's publisher"
    return true
  }

  /// Says of a key that Signet does not take which signature is there, and which command verifies it.
  ///
  /// - Parameters:
  ///   - artifact: the file that is verified; it may be the signature itself.
  ///   - signature: the file of the signature that the user named, if any.
  ///   - key: what the user gave as the key that is trusted.
  static func explain(_ error: inout SignetError, _ artifact: String, signature: String?, key: String) {
    var artifact = artifact
    var others = signature.map { [OtherSignatureReport($0, isSaid: true, key: key)].compactMap(\.self) }
    if others == nil, let signed = OtherSignature.artifact(of: artifact),
      let itself = OtherSignatureReport(artifact, isSaid: false, key: key)
    {
      (artifact, others) = (signed, [itself])
    }
    let found = others ?? all(about: artifact, key: key)
    guard let other = found.first(where: \.takesKey) ?? found.first else { return }
    error.found = "\(other.path): \(other.words)"
    guard let command = other.visibleCommand(artifact) else {
      error.hint = other.next(artifact)
      return
    }
    error.hint =
      Self.isOwn(command)
      ? "if the bytes alone are enough, verify it: \(command)"
      : other.takesKey
        ? "Signet does not verify signatures of this key; its own program does: \(command)"
        : "the signature that is there is of another program: \(command)"
  }

  /// Whether Signet itself verifies a signature, as its command says.
  private static func isOwn(_ command: String) -> Bool { command.hasPrefix("signet ") }

  /// Whether the signature's program verifies with the key that was given.
  private var takesKey: Bool { key.map(signature.accepts) ?? false }

  /// Says of a file that was given as a signature of Signet what it is instead.
  func explain(_ error: inout SignetError, _ artifact: String) {
    error.message = "is no Sigstore bundle"
    error.expected = "a Sigstore bundle"
    error.found = words
    error.cause = nil
    error.hint = next(artifact)
  }

  /// Says of a bundle over a bare digest which command verifies it.
  func advise(_ error: inout SignetError, _ artifact: String) { error.hint = next(artifact) }

  /// The claims in lines.
  func lines(about artifact: String) -> [String] {
    ([("format", signature.format.name)] + signature.claims.map { ($0.name, $0.text) }).map { name, text in
      "  \(name)\(String(repeating: " ", count: max(1, 16 - name.utf8.count)))\(text.display)"
    } + ["  next            \(next(artifact).display)"]
  }

  /// The claims for programs.
  func json(about artifact: String) -> JSONValue {
    .object(
      ("verified", JSONValue(.bool(false))), ("file", .string(path)), ("format", .string(signature.format.name)),
      ("claims", .array(signature.claims.map { .object(("name", .string($0.name)), ("text", .string($0.text))) })),
      ("command", command(artifact).map { .string($0) }))
  }

  /// The file that a signature beside it would be about, by its name; capital letters if there is none.
  var artifact: String {
    OtherSignature.artifact(of: path) ?? BundleFile.artifact(of: path) ?? "FILE"
  }
}
