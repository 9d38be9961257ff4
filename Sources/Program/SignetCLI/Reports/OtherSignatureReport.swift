internal import OtherSignatures
internal import SignetBase
internal import SignetSystem

/// A signature of another program that a command came upon: what it claims, and the command that verifies it.
struct OtherSignatureReport {
  /// The file of the signature; that of the artifact, if the signature is inside.
  let path: String
  let signature: OtherSignature

  /// The signatures of other programs beside a file and in it.
  static func all(about artifact: String) -> [OtherSignatureReport] {
    OtherSignature.beside(artifact).map { OtherSignatureReport(path: $0.path, signature: $0.signature) }
      + [OtherSignature(inside: artifact)].compactMap { signature in
        signature.map { OtherSignatureReport(path: artifact, signature: $0) }
      }
  }

  /// The signature that a file is; nil if it is none of another program.
  init?(_ path: String) {
    guard let signature = OtherSignature(file: path) else { return nil }
    self.init(path: path, signature: signature)
  }

  private init(path: String, signature: OtherSignature) { (self.path, self.signature) = (path, signature) }

  /// What it is and who claims to have made it, as the rest of a sentence.
  private var words: String {
    let maker = signature.claims.first { ["signer", "key"].contains($0.name) }
    return signature.format.name + (maker.map { ", which names \($0.name) \($0.text)" } ?? "")
  }

  private func command(_ artifact: String) -> String { signature.command(verifying: artifact, signature: path) }

  /// Says of a file without a signature of Signet which other signatures there are.
  static func explain(_ error: inout SignetError, _ artifact: String) {
    let others = all(about: artifact)
    guard let first = others.first else { return }
    error.found = others.map { ($0.path == artifact ? "inside: " : "\($0.path): ") + $0.words }.joined(
      separator: "; ")
    error.hint =
      "Signet does not verify it; its own program does: \(first.command(artifact)). For Signet, get the bundle from the "
      + "artifact's publisher"
  }

  /// Says of a file that was given as a signature of Signet what it is instead.
  func explain(_ error: inout SignetError, _ artifact: String) {
    error.message = "is no Sigstore bundle"
    error.expected = "a Sigstore bundle"
    error.found = words
    error.cause = nil
    error.hint = "verify it with its own program: \(command(artifact))"
  }

  /// The claims in lines.
  func lines(about artifact: String) -> [String] {
    ([("format", signature.format.name)] + signature.claims.map { ($0.name, $0.text) }).map { name, text in
      "  \(name)\(String(repeating: " ", count: max(1, 16 - name.utf8.count)))\(text.display)"
    } + ["  next            verify it with its own program: \(command(artifact).display)"]
  }

  /// The claims for programs.
  func json(about artifact: String) -> JSONValue {
    .object(
      ("verified", JSONValue(.bool(false))), ("file", .string(path)), ("format", .string(signature.format.name)),
      ("claims", .array(signature.claims.map { .object(("name", .string($0.name)), ("text", .string($0.text))) })),
      ("command", .string(command(artifact))))
  }

  /// The file that a signature beside it would be about, by its name; capital letters if there is none.
  var artifact: String {
    for ending in OtherSignature.endings where path.utf8.count > ending.utf8.count && path.hasSuffix(ending) {
      let name = String(path.dropLast(ending.count))
      if (try? FileStatus(ofLink: name)) != nil { return name }
    }
    return "FILE"
  }
}
