internal import SignetBase
internal import SignetNames

/// Reads the lines of a lock.
struct LockReader {
  private let lines: [String]
  private var index = 0

  /// What git puts in front of both sides of a conflict, between them and behind them, and before their common origin.
  private static let markers = ["<<<<<<<", "|||||||", "=======", ">>>>>>>"]

  /// - Throws: `lockfile.size`, `lockfile.encoding`, `lockfile.merge-marker`, `lockfile.character`, `lockfile.syntax`.
  init(_ bytes: [UInt8]) throws(SignetError) {
    guard bytes.count <= ModuleLock.sizeLimit else {
      throw SignetError(
        .lockfileSize, "Modfile.lock", "is too large", expected: "at most \(ModuleLock.sizeLimit) bytes",
        found: "\(bytes.count)")
    }
    if let fault = UTF8Check.firstFault(in: bytes) {
      let line = bytes[..<fault].count { $0 == 0x0a } + 1
      throw SignetError(
        .lockfileEncoding, "Modfile.lock:\(line)", "is not UTF-8", expected: "UTF-8",
        found: "a bad byte at offset \(fault)")
    }
    guard !bytes.starts(with: [0xef, 0xbb, 0xbf]) else {
      throw SignetError(
        .lockfileEncoding, "Modfile.lock:1", "begins with a byte-order mark", expected: "UTF-8 without a mark")
    }
    let parts = bytes.split(separator: 0x0a, omittingEmptySubsequences: false)
    for (number, part) in parts.enumerated() where Self.markers.contains(where: { part.starts(with: $0.utf8) }) {
      throw SignetError(
        .lockfileMergeMarker, "Modfile.lock:\(number + 1)", "is a conflict marker of a merge",
        expected: "a lock of one side", hint: "take the lock of one side, merge the Modfile, and install again")
    }
    lines = parts.map { String(decoding: $0, as: UTF8.self) }
    for (number, line) in lines.enumerated() {
      guard let fault = line.unicodeScalars.first(where: { !ModfileText.isAllowed($0) }) else { continue }
      throw SignetError(
        .lockfileCharacter, "Modfile.lock:\(number + 1)",
        "has a character that cannot be seen, or moves what is seen", expected: "visible characters",
        found: String(fault).visible)
    }
    guard lines.last?.isEmpty == true else {
      throw SignetError(
        .lockfileSyntax, "Modfile.lock:\(lines.count)", "is a last line without an end", expected: "a line end")
    }
  }

  /// The first line in which two texts differ, from 1; nil if they are the same.
  static func firstDifference(_ left: [UInt8], _ right: [UInt8]) -> Int? {
    guard left != right else { return nil }
    let same = zip(left, right).prefix { $0 == $1 }
    return same.count { $0.0 == 0x0a } + 1
  }

  /// Reads all modules.
  mutating func read() throws(SignetError) -> [LockedModule] {
    let first = lines[0]
    guard first.isExactly(ModuleLock.head) else {
      let isOther = first.utf8.starts(with: "Modfile.lock ".utf8)
      throw SignetError(
        isOther ? .lockfileVersion : .lockfileSyntax, "Modfile.lock:1",
        isOther ? "is of a version that this program does not know" : "is not the first line of a lock",
        expected: ModuleLock.head, found: first.display,
        hint: isOther ? "use a newer version of this program" : nil)
    }
    index = 1
    var modules: [LockedModule] = []
    // The last line is empty: it is what follows the last line end.
    while index < lines.count - 1 {
      guard lines[index].isEmpty else { throw wrongLine("an empty line, and a module") }
      index += 1
      guard modules.count < ModuleLock.moduleLimit else { throw tooMany(ModuleLock.moduleLimit, "modules") }
      let line = index
      let module = try readModule()
      if let last = modules.last, !last.identifier.precedes(module.identifier) {
        throw SignetError(
          .lockfileOrder, "Modfile.lock:\(line + 1)", "is a module out of order, or one that stands twice",
          expected: "a module behind \(last.identifier)", found: "\(module.identifier)")
      }
      modules.append(module)
    }
    return modules
  }

  private mutating func readModule() throws(SignetError) -> LockedModule {
    let start = index
    guard let head = take("module ") else { throw wrongLine("module, an identifier and a version") }
    let words = head.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard words.count == 2, let identifier = ModuleIdentifier(words[0]), let version = SemanticVersion(words[1])
    else { throw wrongValue("an identifier and a version", head) }
    let origin: LockedModule.Origin
    let sequence: Int
    if let text = take("  source ") {
      guard let source = ModfileName(text) else { throw wrongValue("the name of a source", text) }
      sequence = try self.sequence()
      let archive = try digest("  archive ")
      let description = try digest("  description ")
      let code = try sourceArchive()
      guard let digests = ReleaseDigests(archive: archive, description: description, source: code) else {
        throw wrongValue("SHA-256", lines[index - 1])
      }
      let signers = try signers()
      let standing = try standing()
      origin = .source(
        try LockedModule.Served(source: source, digests: digests, signers: signers, standing: standing))
    } else if let text = take("  specs ") {
      guard let source = ModfileName(text) else { throw wrongValue("the name of a source", text) }
      sequence = try self.sequence()
      origin = .source(LockedModule.Served(source: source, spec: try specified()))
    } else {
      origin = .override(try override())
      sequence = try self.sequence()
    }
    let requirements = try requirements()
    do throws(SignetError) {
      return try LockedModule(
        identifier, version: version, sequence: sequence, origin: origin, requirements: requirements)
    } catch { throw error.about("Modfile.lock:\(start + 1)") }
  }

  private mutating func override() throws(SignetError) -> ModuleOverride {
    do throws(SignetError) {
      if let path = take("  path ") { return .path(try FolderPath(path)) }
    } catch { throw wrongPlace(error) }
    return .commit(try commit("source, specs, path or git"))
  }

  private mutating func commit(_ expected: String) throws(SignetError) -> GitCommit {
    guard let repository = take("  git ") else { throw wrongLine(expected) }
    guard let id = take("  commit ") else { throw wrongLine("commit") }
    do throws(SignetError) { return try GitCommit(repository: repository, id: id) } catch { throw wrongPlace(error) }
  }

  private func wrongPlace(_ error: SignetError) -> SignetError {
    SignetError(
      .lockfileValue, "Modfile.lock:\(index)", error.message, expected: error.expected, found: error.found)
  }

  private mutating func specified() throws(SignetError) -> SpecifiedRelease {
    let spec = try digest("  spec ")
    let commit = try commit("git")
    let hasArchive = index < lines.count - 1 && lines[index].utf8.starts(with: "  archive ".utf8)
    let archive = hasArchive ? try digest("  archive ") : nil
    guard let release = SpecifiedRelease(spec: spec, commit: commit, archive: archive) else {
      throw wrongValue("SHA-256", lines[index - 1])
    }
    return release
  }

  private mutating func sequence() throws(SignetError) -> Int {
    guard let text = take("  sequence ") else { throw wrongLine("sequence") }
    guard let number = Int(text), (1...LockedModule.sequenceLimit).contains(number), "\(number)".isExactly(text)
    else { throw wrongValue("a number from 1 to \(LockedModule.sequenceLimit)", text) }
    return number
  }

  /// The sources of a release; nil if it has none.
  private mutating func sourceArchive() throws(SignetError) -> ReleaseDigests.Source? {
    let field = "  source-archive "
    guard index < lines.count - 1, lines[index].utf8.starts(with: field.utf8) else { return nil }
    let archive = try digest(field)
    guard let commit = take("  commit ") else { throw wrongLine("commit") }
    guard let source = ReleaseDigests.Source(archive: archive, commit: commit) else {
      throw wrongValue("40 or 64 lower-case hexadecimal digits", commit)
    }
    return source
  }

  private mutating func digest(_ field: String) throws(SignetError) -> Digest {
    guard let text = take(field) else { throw wrongLine(field.split(separator: " ").joined()) }
    let prefix = "sha256:"
    let hex = String(decoding: text.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    guard text.utf8.starts(with: prefix.utf8), let digest = Digest(.sha256, hex: hex) else {
      throw wrongValue("sha256: and 64 lower-case hexadecimal digits", text)
    }
    return digest
  }

  private mutating func signers() throws(SignetError) -> [ReleaseSigner] {
    var signers: [ReleaseSigner] = []
    while let text = take("  signer ") {
      guard let signer = ReleaseSigner(text) else { throw wrongValue("the ID of a key, or an identity", text) }
      guard signers.count < LockedModule.Served.signerLimit else {
        throw tooMany(LockedModule.Served.signerLimit, "signers")
      }
      if let last = signers.last, !last.description.precedesInBytes(text) { throw outOfOrder("signer", text) }
      signers.append(signer)
    }
    guard !signers.isEmpty else { throw wrongLine("signer") }
    return signers
  }

  private mutating func standing() throws(SignetError) -> LockedModule.Served.Standing {
    guard let text = take("  signers ") else { return .verified }
    guard let standing = LockedModule.Served.Standing(rawValue: text), standing != .verified else {
      throw wrongValue("unverified, unheld, or unheld with sources", text)
    }
    return standing
  }

  private mutating func requirements() throws(SignetError) -> [ModuleRequirement] {
    var requirements: [ModuleRequirement] = []
    while let text = take("  requires ") {
      let space = text.utf8.firstIndex(of: UInt8(ascii: " ")) ?? text.endIndex
      guard let identifier = ModuleIdentifier(String(text[..<space])),
        let versions = VersionRange(String(decoding: text.utf8[space...].dropFirst(), as: UTF8.self))
      else { throw wrongValue("an identifier and a range such as >=1.0.0 <2.0.0", text) }
      guard requirements.count < ModuleRequirement.limit else {
        throw tooMany(ModuleRequirement.limit, "requirements")
      }
      if let last = requirements.last, !last.identifier.precedes(identifier) { throw outOfOrder("requirement", text) }
      requirements.append(ModuleRequirement(identifier, versions))
    }
    return requirements
  }

  /// What follows a prefix of the line, and goes on to the next line; nil if the line begins otherwise.
  private mutating func take(_ prefix: String) -> String? {
    guard index < lines.count - 1, lines[index].utf8.starts(with: prefix.utf8) else { return nil }
    index += 1
    return String(decoding: lines[index - 1].utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
  }

  /// The error for the line that comes next.
  private func wrongLine(_ expected: String) -> SignetError {
    let isEnd = index >= lines.count - 1
    return SignetError(
      .lockfileSyntax, "Modfile.lock:\(index + 1)", "is not the line that a lock has here", expected: expected,
      found: isEnd ? "the end of the file" : lines[index].display, hint: Self.hint)
  }

  /// The error for a value of the line that was taken last.
  private func wrongValue(_ expected: String, _ found: String) -> SignetError {
    SignetError(
      .lockfileValue, "Modfile.lock:\(index)", "has a value that its field cannot have", expected: expected,
      found: found.display, hint: Self.hint)
  }

  private func tooMany(_ limit: Int, _ what: String) -> SignetError {
    SignetError(
      .lockfileCount, "Modfile.lock:\(index)", "is one too many", expected: "at most \(limit) \(what)",
      hint: Self.hint)
  }

  private func outOfOrder(_ what: String, _ found: String) -> SignetError {
    SignetError(
      .lockfileOrder, "Modfile.lock:\(index)", "is a \(what) out of order, or one that stands twice",
      expected: "each once, in the order of the bytes", found: found.display, hint: Self.hint)
  }

  /// A lock that somebody has changed is not read: what it pins could be what they have chosen.
  private static let hint = "take the lock as it was committed; or remove it, and install again"
}
