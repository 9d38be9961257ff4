internal import SignetBase

/// What the section headers of a program or library say (gABI, "Sections"; elf(5), Shdr).
///
/// Nothing that runs the file reads them, so they may be absent, and they prove nothing. They only tell what
/// compilers and linkers left for debuggers and people.
package struct ELFSections: Sendable {
  /// Whether the section headers can be read.
  package enum State: Sendable {
    /// The file has no section headers.
    case absent
    /// They are not in the file, or contradict each other.
    case unreadable
    /// They were read.
    case read
  }

  /// Whether the section headers were read.
  package private(set) var state = State.absent
  /// Whether there are symbols for debuggers (.symtab).
  package private(set) var hasSymbols = false
  /// Whether there is debug information (.debug_info and others).
  package private(set) var hasDebugInformation = false
  /// Whether a file with the symbols is named (.gnu_debuglink).
  package private(set) var hasDebugLink = false

  /// The languages that have sections of their own.
  private(set) var languages: Set<ELFLanguage> = []
  /// The range of the compilers' names (.comment).
  private(set) var comment: Range<Int>?
  /// The range of the constants and texts (.rodata).
  private(set) var constants: Range<Int>?
  /// The sections with notes.
  private(set) var notes: [(range: Range<Int>, alignment: UInt64)] = []
  /// Whether there are sections with code, whose bytes need not be in the file.
  private(set) var hasCode = false
  /// Whether there are sections with code whose bytes are in the file.
  private(set) var hasCodeInFile = false
  /// The address of the dynamic symbols, and their number.
  private(set) var dynamicSymbols: (address: UInt64, count: Int)?

  /// The maximum number of sections of a program or library; the largest have some hundred.
  private static let countLimit = 1 << 16
  /// The maximum size of the sections' names in bytes.
  private static let namesLimit = 1 << 20
  /// The maximum length of a name that has a meaning here.
  private static let nameLimit = 64

  /// SHT_…: the types that have a meaning here.
  private enum Kind: UInt32 {
    case symbols = 2
    case note = 7
    /// It takes room in memory, but not in the file (SHT_NOBITS).
    case empty = 8
    case dynamicSymbols = 11
  }

  private struct Header {
    let name: Int
    let kind: Kind?
    let isLoaded: Bool
    let isCode: Bool
    let address: UInt64
    let offset: UInt64
    let size: UInt64
    let link: UInt32
    let alignment: UInt64

    init(_ table: ELFNumbers, _ start: Int) {
      let word = table.form.wordSize
      name = Int(table.u32(start))
      kind = Kind(rawValue: table.u32(start + 4))
      let flags = table.word(start + 8)
      // SHF_ALLOC, SHF_EXECINSTR.
      isLoaded = flags & 2 != 0
      isCode = flags & 6 == 6
      address = table.word(start + 8 + word)
      offset = table.word(start + 8 + 2 * word)
      size = table.word(start + 8 + 3 * word)
      link = table.u32(start + 8 + 4 * word)
      alignment = table.word(start + 16 + 4 * word)
    }
  }

  /// No sections.
  init() {}

  /// - Throws: `file.…` if the file cannot be read.
  init(_ file: ELFFile, _ head: ELFHead) throws(SignetError) {
    guard head.sections.offset > 0 else { return }
    guard let headers = try Self.headers(file, head) else {
      state = .unreadable
      return
    }
    guard let first = headers.first else { return }
    // A number that does not fit in 16 bits stands in the first header (SHN_XINDEX).
    let names = head.sectionNames == 0xffff ? Int(first.link) : head.sectionNames
    guard names < headers.count else {
      state = .unreadable
      return
    }
    var table: [UInt8] = []
    if names > 0 {
      let section = headers[names]
      guard let range = file.range(section.offset, section.size), range.count <= Self.namesLimit else {
        state = .unreadable
        return
      }
      table = try file.bytes(at: range.lowerBound, range.count).bytes
    }
    state = .read
    for header in headers {
      let name = header.name < table.count ? table[header.name...].prefix(Self.nameLimit).prefix { $0 != 0 } : []
      take(header, named: String(decoding: name, as: UTF8.self), in: file, form: head.form)
    }
  }

  /// All headers; nil if they cannot be read.
  private static func headers(_ file: ELFFile, _ head: ELFHead) throws(SignetError) -> [Header]? {
    let (stated, size) = (head.sections, head.form.sectionSize)
    guard stated.entrySize == size, let first = file.range(stated.offset, UInt64(size)) else { return nil }
    var count = stated.count
    if count == 0 {
      // A number that does not fit in 16 bits is the size of the first section.
      let header = Header(try file.numbers(at: first.lowerBound, size, head.form), 0)
      count = header.size <= UInt64(countLimit) ? Int(header.size) : countLimit + 1
    }
    guard count <= countLimit, let range = file.range(stated.offset, UInt64(count * size)) else { return nil }
    var headers: [Header] = []
    headers.reserveCapacity(count)
    let piece = ELFFile.pieceSize / size * size
    for start in stride(from: range.lowerBound, to: range.upperBound, by: piece) {
      let table = try file.numbers(at: start, min(piece, range.upperBound - start), head.form)
      for place in stride(from: 0, to: table.count, by: size) { headers.append(Header(table, place)) }
    }
    return headers
  }

  private mutating func take(_ header: Header, named name: String, in file: ELFFile, form: ELFForm) {
    if header.isCode {
      hasCode = true
      hasCodeInFile = hasCodeInFile || header.kind != .empty
    }
    if let language = ELFLanguage(section: name) { languages.insert(language) }
    switch header.kind {
    case .symbols: hasSymbols = hasSymbols || header.size > UInt64(form.symbolSize)
    case .dynamicSymbols:
      guard let count = Int(exactly: header.size / UInt64(form.symbolSize)) else { return }
      dynamicSymbols = (header.address, count)
    case .note:
      if let range = file.range(header.offset, header.size) { notes.append((range, header.alignment)) }
    case .empty: return
    case nil: takeContent(header, name, file)
    }
  }

  private mutating func takeContent(_ header: Header, _ name: String, _ file: ELFFile) {
    if name.utf8.starts(with: ".debug_".utf8) || name.utf8.starts(with: ".zdebug_".utf8) {
      // Scripts for debuggers are no symbols. Rust leaves their section in stripped programs.
      hasDebugInformation = hasDebugInformation || (!header.isLoaded && header.size > 0)
    } else if name.isExactly(".gnu_debuglink") {
      hasDebugLink = true
    } else if name.isExactly(".comment") {
      comment = file.range(header.offset, header.size)
    } else if name.isExactly(".rodata") {
      constants = file.range(header.offset, header.size)
    }
  }
}
