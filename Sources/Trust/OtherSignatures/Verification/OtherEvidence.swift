public import SignetBase
internal import SignetSystem
public import SignetVerify

/// The signatures of other programs that can count: those in a format that Signet verifies.
package enum OtherEvidence {
  /// The signature that a file is, once for each format in which a policy accepts it; none if it has no format that is
  /// verified.
  ///
  /// - Throws: `signature.malformed` for one that is not whole, `signature.unsupported`.
  package static func read(_ path: String, for policy: TrustPolicy) throws(SignetError) -> [any BareSignature] {
    guard let found = OtherSignature.content(of: path, isSaid: true) else { return [] }
    return try read(found.signature, found.bytes, path, for: policy)
  }

  /// The signatures beside a file in formats that a policy accepts from somebody.
  ///
  /// - Throws: `signature.malformed` also for a file whose name says that it is one of minisign, and that is none: a damaged
  ///   signature is no missing one.
  package static func beside(_ path: String, for policy: TrustPolicy) throws(SignetError) -> [any BareSignature] {
    let accepted = Set(policy.entries.flatMap(\.formats).filter(\.isOfOtherProgram).map(\.name))
    guard !accepted.isEmpty else { return [] }
    let named = path + ".minisig"
    if accepted.contains(SignatureFormat.minisign.name), (try? FileStatus(ofLink: named)) != nil,
      OtherSignature(file: named)?.format != .minisign
    {
      throw SignetError(
        .signatureMalformed, named, "is no signature of minisign", expected: "the lines that minisign writes",
        hint: "get the signature from its publisher again")
    }
    var all: [any BareSignature] = []
    for (path, _) in OtherSignature.beside(path) {
      guard let found = OtherSignature.content(of: path), let name = found.signature.format.signatureFormat,
        accepted.contains(name)
      else { continue }
      all += try read(found.signature, found.bytes, path, for: policy)
    }
    return all
  }

  private static func read(
    _ signature: OtherSignature, _ bytes: [UInt8], _ path: String, for policy: TrustPolicy
  ) throws(SignetError) -> [any BareSignature] {
    switch signature.format {
    case .minisign, .signify:
      guard let lines = MinisignSignature(bytes) else { throw cutOff(path) }
      return [try MinisignEvidence(lines, path)]
    case .ssh:
      guard let body = SSHSignature.wholeBody(of: bytes) else { throw cutOff(path) }
      return [try SSHEvidence(body, path)]
    case .raw, .base64:
      let text = String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self)
      let bytes = signature.format == .raw ? bytes : (try? Base64.decode(text)) ?? []
      // Each digest that an entry names is tried; nothing in the signature says which one it is.
      let formats = Set(policy.entries.flatMap(\.formats)).sorted { $0.rawValue < $1.rawValue }
      return formats.compactMap { RawEvidence(bytes, in: $0, path) }
    default: return []
    }
  }

  private static func cutOff(_ path: String) -> SignetError {
    SignetError(
      .signatureMalformed, path, "is not one whole signature and nothing else",
      expected: "a signature as its program writes it",
      hint: "get the signature from its publisher again")
  }
}

extension SignatureSource {
  /// The same source, with the signatures of other programs beside a file, as far as a policy accepts their formats.
  ///
  /// They are over the bytes of the file alone, and count where a file is expected. A policy accepts them by the formats of
  /// its entries: that of a ``MinisignKey``, or `SignatureFormat(rawValue: "ssh:file")`.
  ///
  /// - Parameters:
  ///   - path: the path of the file that they are about.
  ///   - policy: the policy under which the file is verified.
  /// - Throws: `signature.malformed` for one that is damaged, `signature.unsupported`.
  public func adding(
    othersBeside path: String, for policy: TrustPolicy
  ) throws(SignetError) -> SignatureSource { adding(try OtherEvidence.beside(path, for: policy)) }
}

extension OtherSignature {
  /// The endings that signatures have in the formats of other programs which a policy accepts.
  package static func endings(of policy: TrustPolicy) -> [String] {
    let names = Set(policy.entries.flatMap(\.formats).map(\.name))
    return [("minisign", ".minisig"), ("signify", ".sig"), ("ssh", ".sig"), ("raw", ".sig")].filter {
      names.contains($0.0)
    }.map(\.1)
      .reduce(into: []) { endings, ending in if !endings.contains(ending) { endings.append(ending) } }
  }
}

extension OtherSignature.Format {
  /// The name of the format in policies; nil if signatures of it are not verified.
  package var signatureFormat: String? {
    switch self {
    case .minisign, .signify: self == .minisign ? "minisign" : "signify"
    case .ssh: "ssh"
    case .raw, .base64: "raw"
    default: nil
    }
  }
}
