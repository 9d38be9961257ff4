internal import SignetBase
internal import SignetCMS
internal import SignetCrypto
internal import SignetVerify

/// A signature of minisign or signify as evidence about a file's bytes.
struct MinisignEvidence: BareSignature {
  let label: String
  private let signature: MinisignSignature

  /// minisign takes no more for signatures that are over the file itself, which has to be in memory.
  private static let sizeLimit = 1 << 30

  /// - Throws: `signature.malformed` for one with anything behind it, and for one whose second line of base64 is none.
  init(_ signature: MinisignSignature, _ label: String) throws(SignetError) {
    if let trusted = signature.trusted {
      guard trusted.signature.count == 64 else {
        throw Self.malformed(label, "lacks the signature over its trusted comment")
      }
      // minisign ignores what follows, and so it could say anything.
      guard !signature.isFollowed else { throw Self.malformed(label, "has more behind its lines") }
    } else if signature.isPrehashed {
      throw Self.malformed(label, "is over a digest, and has no trusted comment")
    }
    (self.signature, self.label) = (signature, label)
  }

  private static func malformed(_ label: String, _ what: String) -> SignetError {
    SignetError(
      .signatureMalformed, label, what, expected: "the lines that minisign writes",
      hint: "get the signature from its publisher again")
  }

  var format: SignatureFormat {
    SignatureFormat(signature.trusted == nil ? "signify" : "minisign", signature.shownNumber)
  }

  var remarks: [(name: String, text: String)] {
    signature.trusted.map { [("comment", String(decoding: $0.comment, as: UTF8.self))] } ?? []
  }

  func over(_ content: inout some BareContent) throws(SignetError) -> any SearchedSignature {
    if !signature.isPrehashed { try content.checkPurpose(label, isHashed: false) }
    let message =
      signature.isPrehashed
      ? try content.hash(.blake2b) : try content.bytes(limit: Self.sizeLimit)
    guard !signature.isFollowed || signature.rest == message else {
      throw Self.malformed(label, "holds another text than the file")
    }
    return Searched(signature: signature, format: format, message: message)
  }

  private struct Searched: SearchedSignature {
    let signature: MinisignSignature
    let format: SignatureFormat
    let message: [UInt8]

    var material: SigstoreBundle.VerificationMaterial { .publicKey(hint: "") }
    var claimedKeyIDs: [String] { [] }
    var claimedSigner: String? { "the key \(signature.shownNumber) of \(format.name)" }

    func claims(_ key: PublicKey, in formats: Set<SignatureFormat>) -> Bool {
      // A key that has signed the file, but not the comment, is claimed whatever its number is.
      if formats.contains(where: { $0.rawValue.isExactly(format.rawValue) }) { return true }
      if case .valid = verify(signature.signature, over: message, key) { return true }
      return false
    }

    func check(by key: PublicKey) throws(SignetError) -> SignatureCheck {
      let check = verify(signature.signature, over: message, key)
      guard case .valid = check, let trusted = signature.trusted else { return check }
      return verify(trusted.signature, over: signature.signature + trusted.comment, key)
    }

    private func verify(_ signature: [UInt8], over message: [UInt8], _ key: PublicKey) -> SignatureCheck {
      key.algorithm == .ed25519 ? key.verify(signature, over: message) : .invalid
    }
  }
}
