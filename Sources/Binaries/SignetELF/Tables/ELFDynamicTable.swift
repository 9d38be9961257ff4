internal import SignetBase

/// The table that controls the dynamic linker (gABI, "Dynamic Section"; elf(5), Dyn).
struct ELFDynamicTable: Sendable {
  /// The maximum number of entries: linkers write about thirty, and one for each needed library, of which a module
  /// declares at most 200.
  static let entryLimit = 1024
  private static let entrySize = 16

  struct Entry: Sendable {
    let tag: UInt64
    let value: UInt64
  }

  /// The entries before DT_NULL, in order.
  let entries: [Entry]
  /// The range of the table in the file.
  let range: Range<Int>

  /// - Throws: `elf.malformed`; `file.…` if the file cannot be read.
  init(_ segments: [ELFSegment], _ file: ELFFile) throws(SignetError) {
    guard let segment = segments.first(where: { $0.kind == .dynamic }), segment.fileSize > 0 else {
      throw file.malformed("has no dynamic table", expected: "a shared library")
    }
    guard segment.fileSize <= Self.entryLimit * Self.entrySize else {
      throw file.malformed(
        "has a dynamic table that is too long", expected: "at most \(Self.entryLimit) entries",
        found: "\(segment.fileSize) bytes")
    }
    range = segment.range
    let table = try file.bytes(at: range.lowerBound, range.count)
    var entries: [Entry] = []
    var isEnded = false
    for start in stride(from: 0, through: table.count - Self.entrySize, by: Self.entrySize) {
      let entry = Entry(tag: table.u64(start), value: table.u64(start + 8))
      if entry.tag == ELFDynamicTag.null.rawValue {
        isEnded = true
      } else if isEnded {
        throw file.malformed("has entries after the end of its dynamic table")
      } else {
        entries.append(entry)
      }
    }
    // The dynamic linker does not use the size of the table, so without an end it would read on.
    guard isEnded else { throw file.malformed("has a dynamic table without an end") }
    self.entries = entries
  }

  /// The value of a tag; nil if it is absent.
  subscript(tag: ELFDynamicTag) -> UInt64? { entries.first { $0.tag == tag.rawValue }?.value }

  /// The values of a tag that may occur several times.
  func all(_ tag: ELFDynamicTag) -> [UInt64] { entries.filter { $0.tag == tag.rawValue }.map(\.value) }
}

/// A tag of the dynamic table (gABI, "Dynamic Section"; the processors' supplements; the additions of GNU and
/// Solaris).
///
/// All 64 bits of a tag are compared. In the upper range the dynamic linker of glibc uses only the lower half of a
/// tag. So it treats a tag that merely ends like DT_FILTER as DT_FILTER.
struct ELFDynamicTag: Hashable, Sendable {
  let rawValue: UInt64
  let name: String

  private init(_ rawValue: UInt64, _ name: String) {
    self.rawValue = rawValue
    self.name = name
  }

  static let null = Self(0, "DT_NULL")
  static let needed = Self(1, "DT_NEEDED")
  static let procedureRelocationsSize = Self(2, "DT_PLTRELSZ")
  static let hash = Self(4, "DT_HASH")
  static let strings = Self(5, "DT_STRTAB")
  static let symbols = Self(6, "DT_SYMTAB")
  static let relocations = Self(7, "DT_RELA")
  static let relocationsSize = Self(8, "DT_RELASZ")
  static let relocationSize = Self(9, "DT_RELAENT")
  static let stringsSize = Self(10, "DT_STRSZ")
  static let symbolSize = Self(11, "DT_SYMENT")
  static let initializer = Self(12, "DT_INIT")
  static let finalizer = Self(13, "DT_FINI")
  static let soname = Self(14, "DT_SONAME")
  static let rpath = Self(15, "DT_RPATH")
  static let symbolic = Self(16, "DT_SYMBOLIC")
  static let procedureRelocationsKind = Self(20, "DT_PLTREL")
  static let textRelocations = Self(22, "DT_TEXTREL")
  static let procedureRelocations = Self(23, "DT_JMPREL")
  static let bindNow = Self(24, "DT_BIND_NOW")
  static let initializers = Self(25, "DT_INIT_ARRAY")
  static let finalizers = Self(26, "DT_FINI_ARRAY")
  static let initializersSize = Self(27, "DT_INIT_ARRAYSZ")
  static let finalizersSize = Self(28, "DT_FINI_ARRAYSZ")
  static let runpath = Self(29, "DT_RUNPATH")
  static let flags = Self(30, "DT_FLAGS")
  static let relativesSize = Self(35, "DT_RELRSZ")
  static let relatives = Self(36, "DT_RELR")
  static let relativeSize = Self(37, "DT_RELRENT")
  static let gnuHash = Self(0x6fff_fef5, "DT_GNU_HASH")
  static let relativeCount = Self(0x6fff_fff9, "DT_RELACOUNT")
  static let versions = Self(0x6fff_fff0, "DT_VERSYM")
  static let flags1 = Self(0x6fff_fffb, "DT_FLAGS_1")
  static let versionDefinitions = Self(0x6fff_fffc, "DT_VERDEF")
  static let versionDefinitionCount = Self(0x6fff_fffd, "DT_VERDEFNUM")
  static let versionNeeds = Self(0x6fff_fffe, "DT_VERNEED")
  static let versionNeedCount = Self(0x6fff_ffff, "DT_VERNEEDNUM")

  /// The tags that linkers write into libraries, and that have only their stated effect.
  private static let accepted: [Self] = [
    null, needed, procedureRelocationsSize, hash, strings, symbols, relocations, relocationsSize, relocationSize,
    stringsSize, symbolSize, soname, rpath, symbolic, procedureRelocationsKind, procedureRelocations, bindNow,
    initializers, finalizers, initializersSize, finalizersSize, runpath, flags, relativesSize, relatives,
    relativeSize, gnuHash, versions, flags1, versionDefinitions, versionDefinitionCount, versionNeeds,
    versionNeedCount, initializer, finalizer, relativeCount, Self(3, "DT_PLTGOT"), Self(21, "DT_DEBUG"),
    Self(0x6fff_fef6, "DT_TLSDESC_PLT"), Self(0x6fff_fef7, "DT_TLSDESC_GOT"),
  ]

  /// The tags that mark procedure linkage tables (psABI of each processor).
  private static let acceptedOfMachine: [ELFMachine: [Self]] = [
    .x86: [
      Self(0x7000_0000, "DT_X86_64_PLT"), Self(0x7000_0001, "DT_X86_64_PLTSZ"), Self(0x7000_0003, "DT_X86_64_PLTENT"),
    ],
    .arm: [
      Self(0x7000_0001, "DT_AARCH64_BTI_PLT"), Self(0x7000_0003, "DT_AARCH64_PAC_PLT"),
      Self(0x7000_0005, "DT_AARCH64_VARIANT_PCS"),
    ],
  ]

  /// The tags that are known and refused, and the reasons.
  private static let refused: [UInt64: (name: String, reason: String)] = [
    0x7fff_fffd: ("DT_AUXILIARY", "has another library loaded in its place"),
    0x7fff_ffff: ("DT_FILTER", "has another library loaded in its place"),
    0x6fff_fefc: ("DT_AUDIT", "has the dynamic linker load a library that watches it"),
    0x6fff_fefb: ("DT_DEPAUDIT", "has the dynamic linker load a library that watches it"),
    0x6fff_fefa: ("DT_CONFIG", "has the dynamic linker read a file"),
    textRelocations.rawValue: (textRelocations.name, relocatedCode),
    17: ("DT_REL", "has relocations of a form that the platform does not have"),
    32: ("DT_PREINIT_ARRAY", "has initializers that only programs have"),
  ]

  /// Why DT_TEXTREL and DF_TEXTREL are refused.
  static let relocatedCode = "changes its code while it is loaded, which makes code writable"

  /// Why a tag is refused; nil if it is accepted.
  static func refusal(of tag: UInt64, on machine: ELFMachine) -> String? {
    if acceptedValues.contains(tag) { return nil }
    if acceptedOfMachine[machine, default: []].contains(where: { $0.rawValue == tag }) { return nil }
    return refused[tag]?.reason ?? "has a dynamic tag that is not known"
  }

  /// The name of a tag, for messages.
  static func name(of tag: UInt64, on machine: ELFMachine) -> String {
    let known = (accepted + acceptedOfMachine[machine, default: []]).first { $0.rawValue == tag }
    return known?.name ?? refused[tag]?.name ?? "0x" + String(tag, radix: 16)
  }

  private static let acceptedValues = Set(accepted.map(\.rawValue))
}

/// DT_FLAGS (gABI, "Dynamic Section", DF_…).
struct ELFFlags: OptionSet {
  let rawValue: UInt64

  static let origin = ELFFlags(rawValue: 1)
  static let symbolic = ELFFlags(rawValue: 2)
  static let textRelocations = ELFFlags(rawValue: 4)
  static let bindNow = ELFFlags(rawValue: 8)
  static let staticThreadLocal = ELFFlags(rawValue: 16)

  /// The flags that a module may have. Names here cannot contain `$ORIGIN`, so the first flag has no effect.
  static let accepted: ELFFlags = [.origin, .symbolic, .bindNow]
}

/// DT_FLAGS_1 (Solaris' "Linker and Libraries Guide", DF_1_…).
struct ELFFlags1: OptionSet {
  let rawValue: UInt64

  static let now = ELFFlags1(rawValue: 1)
  static let noDelete = ELFFlags1(rawValue: 8)
  static let initializeFirst = ELFFlags1(rawValue: 0x20)
  static let noOpen = ELFFlags1(rawValue: 0x40)
  static let origin = ELFFlags1(rawValue: 0x80)
  static let interpose = ELFFlags1(rawValue: 0x400)
  static let noDefaultLibraries = ELFFlags1(rawValue: 0x800)
  static let positionIndependentProgram = ELFFlags1(rawValue: 0x0800_0000)

  /// The flags that a module may have: none that makes dlopen fail, or that has effects outside the module.
  static let accepted: ELFFlags1 = [.now, .noDelete, .origin, .noDefaultLibraries]
}

extension ELFImage {
  var flags: ELFFlags { ELFFlags(rawValue: dynamic[.flags] ?? 0) }
  var flags1: ELFFlags1 { ELFFlags1(rawValue: dynamic[.flags1] ?? 0) }
}
