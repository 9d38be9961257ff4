internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetOCSP
internal import SignetSystem

/// Files about revocation that a command line names: themselves, or the folder that has them.
struct RevocationFiles<Content> {
  /// What one file has, for messages.
  private let noun: String
  /// How the names of such files end.
  private let suffix: String
  /// What a file in PEM begins with.
  private let label: String?
  private let limit: Int
  private let parse: (SecretBytes) throws(SignetError) -> [Content]

  /// Reads files, and the files of folders that are meant: by their names, or because they say so. One that is damaged is
  /// meant, and is refused.
  ///
  /// - Throws: `file.others-may-write` and other `file.…` codes, what the form throws; `file.missing` for a folder without such
  ///   a file.
  func read(_ paths: [String]) throws(SignetError) -> [Content] {
    var contents: [Content] = []
    for path in paths {
      guard let folder = try? Directory(opening: path) else {
        contents += try all(path)
        continue
      }
      let before = contents.count
      for name in try folder.entryNames() {
        let file = "\(path)/\(name)"
        if try isMeant(file, name) { contents += try all(file) }
      }
      guard contents.count > before else {
        throw SignetError(
          .fileMissing, path, "has no \(noun) in it",
          expected: "files that end in \(suffix)\(label == nil ? "" : ", or have one in PEM")",
          hint: "name the file of the \(noun)")
      }
    }
    return contents
  }

  private func all(_ file: String) throws(SignetError) -> [Content] {
    do throws(SignetError) {
      return try parse(TrustedContent.read(file, limit: limit))
    } catch {
      throw error.object.hasPrefix(file) ? error : error.about("\(file): \(error.object)")
    }
  }

  private func isMeant(_ file: String, _ name: String) throws(SignetError) -> Bool {
    if name.hasSuffix(suffix) { return true }
    guard let label, try FileStatus(ofLink: file).kind == .regular, let opened = try? RegularFile(opening: file)
    else {
      return false
    }
    let start = try opened.bytes(in: 0..<min(opened.size, 4096))
    return start.firstRange(of: Array("-----BEGIN \(label)".utf8)) != nil
  }
}

extension RevocationFiles<RevocationList> {
  /// Revocation lists, in PEM or DER.
  static var lists: RevocationFiles {
    RevocationFiles(
      noun: "revocation list", suffix: ".crl", label: "X509 CRL", limit: 2 * RevocationList.sizeLimit
    ) { (content) throws(SignetError) in try RevocationList.all(in: content) }
  }
}

extension RevocationFiles<StatusResponse> {
  /// Responses of OCSP, in DER (RFC 6960, appendix C.2).
  static var responses: RevocationFiles {
    RevocationFiles(noun: "OCSP response", suffix: ".ors", label: nil, limit: StatusResponse.sizeLimit) {
      (content) throws(SignetError) in [try StatusResponse(der: content.withBytes { Array(copying: $0) })]
    }
  }
}
