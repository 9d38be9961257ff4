internal import SignetArchive
internal import SignetBase
internal import SignetNames
internal import SignetSystem

/// Signatures that other programs put into the file or directory that they are about.
extension OtherSignature {
  /// Names the signature in a file or a directory; nil if there is none, or it cannot be read.
  public init?(inside path: String) {
    if let found = Self.ofBundle(path) {
      self = found
      return
    }
    guard let file = try? RegularFile(opening: path), file.size > 64, let head = try? file.bytes(in: 0..<64) else {
      return nil
    }
    let found: OtherSignature? =
      switch head.prefix(4) {
      case [0x50, 0x4b, 3, 4]: Self.ofArchive(file)
      case [0xcf, 0xfa, 0xed, 0xfe], [0xce, 0xfa, 0xed, 0xfe]:
        MachSignature.isSigned(file, at: 0) ? .init(.apple) : nil
      case [0xca, 0xfe, 0xba, 0xbe]: MachSignature.isSigned(universal: file) ? .init(.apple) : nil
      default: head.starts(with: Array("MZ".utf8)) && PortableExecutable.isSigned(file) ? .init(.authenticode) : nil
      }
    guard let found else { return nil }
    self = found
  }

  /// A bundle of Apple: its signature lists its files.
  private static func ofBundle(_ path: String) -> OtherSignature? {
    for folder in ["Contents/", "", "Versions/Current/", "Versions/A/"] {
      let resources = "\(path)/\(folder)_CodeSignature/CodeResources"
      if let status = try? FileStatus(ofLink: resources), status.kind == .regular {
        return OtherSignature(.apple, [.init("lists", "\(folder)_CodeSignature/CodeResources")])
      }
    }
    return nil
  }

  /// Signed entries of a Java archive, or a block of Android before the directory.
  private static func ofArchive(_ file: RegularFile) -> OtherSignature? {
    if (try? ZIPSurvey.androidBlock(in: file)).flatMap(\.self) != nil { return OtherSignature(.android) }
    guard let archive = try? LenientZIP(file, limits: ArchiveLimits()) else { return nil }
    let names = archive.entries.map { (path: $0.path, upper: $0.path.uppercased()) }
      .filter { $0.upper.utf8.starts(with: "META-INF/".utf8) }
    let known = Set(names.map(\.upper))
    let signers = names.lazy.filter { name in
      guard name.upper.hasSuffix(".SF") else { return false }
      return ["RSA", "DSA", "EC"].contains { known.contains("\(name.upper.dropLast(3)).\($0)") }
    }.map(\.path).prefix(4)
    return signers.isEmpty ? nil : OtherSignature(.jar, signers.map { .init("signer", String($0)) })
  }
}

/// Programs of macOS and iOS (Mach-O): the load command LC_CODE_SIGNATURE says where the signature is.
enum MachSignature {
  private static let codeSignature = 0x1d
  private static let commandLimit = 1 << 20

  static func isSigned(_ file: RegularFile, at start: Int) -> Bool {
    guard start >= 0, start <= file.size - 32, let head = try? file.bytes(in: start..<start + 32),
      head[1...3].elementsEqual([0xfa, 0xed, 0xfe])
    else { return false }
    let header = head[0] == 0xcf ? 32 : 28
    let size = number(head[20..<24].reversed())
    guard size <= commandLimit, start + header + size <= file.size,
      let commands = try? file.bytes(in: start + header..<start + header + size)
    else { return false }
    var rest = commands[...]
    while rest.count >= 8 {
      let size = number(rest.dropFirst(4).prefix(4).reversed())
      if number(rest.prefix(4).reversed()) == codeSignature { return true }
      guard size >= 8, size <= rest.count else { return false }
      rest = rest.dropFirst(size)
    }
    return false
  }

  /// A file for several processors: the first one counts.
  static func isSigned(universal file: RegularFile) -> Bool {
    guard let head = try? file.bytes(in: 0..<28), (1...32).contains(number(Array(head[4..<8]))) else { return false }
    return isSigned(file, at: number(Array(head[16..<20])))
  }

  private static func number(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}

/// Programs of Windows (PE): the fifth entry of the optional header's directory says where the certificates are.
enum PortableExecutable {
  static func isSigned(_ file: RegularFile) -> Bool {
    func number(_ offset: Int, _ width: Int) -> Int? {
      guard offset >= 0, offset + width <= file.size, let bytes = try? file.bytes(in: offset..<offset + width) else {
        return nil
      }
      return bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    guard let header = number(0x3c, 4), number(header, 4) == 0x4550, let magic = number(header + 24, 2) else {
      return false
    }
    let directory = header + 24 + (magic == 0x20b ? 112 : 96)
    return number(directory + 4 * 8 + 4, 4).map { $0 > 0 } ?? false
  }
}
