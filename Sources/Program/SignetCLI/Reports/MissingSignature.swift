internal import OtherSignatures
internal import Signet
internal import SignetArchive
internal import SignetBase
internal import SignetSystem

/// A file without a signature: what its name and its first bytes tell about where the signature is.
struct MissingSignature {
  private let path: String
  /// What the user gave as the key that is trusted.
  private let key: String?

  init(_ path: String, key: String?) { (self.path, self.key) = (path, key) }

  /// Says what became of the signature, if the file shows it.
  func explain(_ error: inout SignetError) {
    if let signed = OtherSignature.artifact(of: path), let other = OtherSignatureReport(path, isSaid: false, key: key)
    {
      other.explain(&error, signed)
      error.message = "is a signature itself"
      error.expected = "the file that it signs: \(signed)"
    } else if isCutOff {
      error.found = "a ZIP that ends before its directory does"
      error.hint = "get the file again: it is not whole, and a signature inside it is at its end"
    } else if let artifact {
      error.found = "a signature itself, of \(artifact)"
      error.hint = "name the file that it signs in its place: \(artifact.shellWord)"
    } else if let (name, bundle) = renamed {
      error.found = "\(bundle), the signature of a file that is called \(name)"
      error.hint =
        "if the file was renamed on its way, say so: --signature \(bundle.shellWord) --name \(name.shellWord)"
    }
  }

  /// Whether the file begins as a ZIP (APPNOTE.TXT, section 4.3.7), and the end of its directory is not there.
  private var isCutOff: Bool {
    guard let file = try? RegularFile(opening: path), file.size >= 4,
      (try? file.bytes(in: 0..<4)) == [0x50, 0x4b, 3, 4]
    else { return false }
    do throws(SignetError) {
      _ = try LenientZIP(file, limits: ArchiveLimits())
      return false
    } catch {
      return [.archiveEndRecord, .archiveTruncated].contains(error.code)
    }
  }

  /// The file whose bundle this file is, by the name of both; nil if it is no bundle, or that file is not there.
  private var artifact: String? {
    BundleFile.holdsBundles(path) ? BundleFile.artifact(of: path).flatMap(Self.present) : nil
  }

  private static func present(_ path: String) -> String? { (try? FileStatus(ofLink: path)) == nil ? nil : path }

  /// A signed list of checksums in the same folder that names the file.
  private var checksums: String? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard let last = parts.last, !last.isEmpty else { return nil }
    let folder = parts.dropLast().map { "\($0)/" }.joined()
    return Self.lists.map { folder + $0 }.first { list in
      guard (try? FileStatus(ofLink: BundleFile.single(list))) != nil || !OtherSignature.beside(list).isEmpty,
        let file = try? RegularFile(opening: list), file.size <= Self.listLimit,
        let text = try? file.bytes(in: 0..<file.size)
      else { return false }
      return text.split(separator: UInt8(ascii: "\n")).contains { line in
        line.suffix(last.utf8.count).elementsEqual(last.utf8)
          && line.dropLast(last.utf8.count).last.map { " *".utf8.contains($0) } ?? false
      }
    }
  }

  private static let lists = ["SHA256SUMS", "SHA256SUMS.txt", "sha256sums.txt", "checksums.txt", "SHA512SUMS"]
  private static let listLimit = 1 << 20

  /// The name that a browser has changed, because there was such a file, and the bundle that lies beside the file under
  /// its old name.
  private var renamed: (name: String, bundle: String)? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard let last = parts.last, let open = last.lastIndex(of: "("), let close = last[open...].firstIndex(of: ")")
    else { return nil }
    let number = last[last.index(after: open)..<close]
    guard !number.isEmpty, number.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    var start = last[..<open]
    if start.last == " " { start = start.dropLast() }
    let name = String(start + last[last.index(after: close)...])
    let folder = parts.dropLast().map { "\($0)/" }.joined()
    return [BundleFile.single(folder + name), BundleFile.several(folder + name)].first {
      (try? FileStatus(ofLink: $0)) != nil
    }.map { (name, $0) }
  }
}
