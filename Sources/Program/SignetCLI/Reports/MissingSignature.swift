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
    } else if let list = checksums {
      error.found = "\(list.path), a signed list of checksums that names the file"
      error.hint = "verify the list, then compare the file with it: \(list.command)"
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

  /// A signed list of checksums, and the command that compares files with it.
  private struct ChecksumList {
    let path: String
    let command: String
  }

  /// A signed list of checksums in the same folder, as many releases have it, that names the file.
  private var checksums: ChecksumList? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard let last = parts.last, !last.isEmpty else { return nil }
    let folder = parts.dropLast().map { "\($0)/" }.joined()
    let names = (try? Directory(opening: folder.isEmpty ? "." : folder).names(upTo: Self.folderLimit).names) ?? []
    let lists = names.map { String(decoding: $0, as: UTF8.self) }.filter { name in
      Self.endings.contains { name.lowercased().hasSuffix($0) }
    }.sorted().prefix(Self.listLimit)
    for name in lists {
      let list = folder + name
      guard (try? FileStatus(ofLink: BundleFile.single(list))) != nil || !OtherSignature.beside(list).isEmpty,
        let file = try? RegularFile(opening: list), file.size <= Self.sizeLimit,
        let text = try? file.bytes(in: 0..<file.size), let program = Self.program(for: String(last), in: text)
      else { continue }
      // Such programs look for the files from where they are run.
      let command = "\(program) --check --ignore-missing \(name.shellWord)"
      return ChecksumList(path: list, command: folder.isEmpty ? command : "(cd \(folder.shellWord) && \(command))")
    }
    return nil
  }

  /// The program that has made a list, by the length of the digest beside a name; nil if the name is not in it.
  private static func program(for name: String, in list: [UInt8]) -> String? {
    let programs = [40: "sha1sum", 64: "sha256sum", 96: "sha384sum", 128: "sha512sum"]
    for line in list.split(separator: UInt8(ascii: "\n")) {
      let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      let digits = text.prefix { $0 != UInt8(ascii: " ") }
      var rest = text[digits.endIndex...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "*") }
      if rest.starts(with: "./".utf8) { rest = rest.dropFirst(2) }
      if rest.elementsEqual(name.utf8), let program = programs[digits.count] { return program }
    }
    return nil
  }

  /// How the names of such lists end, in small letters: `SHA256SUMS`, `tool_1.0_checksums.txt`.
  private static let endings = ["sums", "sums.txt", "sums256.txt", "sum.txt", "checksum"]
  /// As many names are read of a folder, and as many lists.
  private static let (folderLimit, listLimit) = (10_000, 8)
  /// The size of the largest list that is read.
  private static let sizeLimit = 1 << 20

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
