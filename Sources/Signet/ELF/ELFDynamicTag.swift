/// A tag of the dynamic table (gABI, "Dynamic Section"; the processors' supplements; GNU's and Solaris' additions).
///
/// All 64 bits of a tag count. The dynamic linker of glibc looks at the lower half of those of the upper range, so that
/// a tag that merely ends like DT_FILTER is DT_FILTER to it.
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

  /// What linkers write into libraries, and what does nothing but what it says.
  private static let accepted: [Self] = [
    null, needed, procedureRelocationsSize, hash, strings, symbols, relocations, relocationsSize, relocationSize,
    stringsSize, symbolSize, soname, rpath, symbolic, procedureRelocationsKind, procedureRelocations, bindNow,
    initializers, finalizers, initializersSize, finalizersSize, runpath, flags, relativesSize, relatives,
    relativeSize, gnuHash, versions, flags1, versionDefinitions, versionDefinitionCount, versionNeeds,
    versionNeedCount, initializer, finalizer, relativeCount, Self(3, "DT_PLTGOT"), Self(21, "DT_DEBUG"),
    Self(0x6fff_fef6, "DT_TLSDESC_PLT"), Self(0x6fff_fef7, "DT_TLSDESC_GOT"),
  ]

  /// How procedure linkage tables are marked (psABI of each processor).
  private static let acceptedOfMachine: [ELFMachine: [Self]] = [
    .x86: [
      Self(0x7000_0000, "DT_X86_64_PLT"), Self(0x7000_0001, "DT_X86_64_PLTSZ"), Self(0x7000_0003, "DT_X86_64_PLTENT"),
    ],
    .arm: [
      Self(0x7000_0001, "DT_AARCH64_BTI_PLT"), Self(0x7000_0003, "DT_AARCH64_PAC_PLT"),
      Self(0x7000_0005, "DT_AARCH64_VARIANT_PCS"),
    ],
  ]

  /// What is known and refused, and why.
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

  /// Why a tag is refused; nil for one that is accepted.
  static func refusal(of tag: UInt64, on machine: ELFMachine) -> String? {
    if acceptedValues.contains(tag) { return nil }
    if acceptedOfMachine[machine, default: []].contains(where: { $0.rawValue == tag }) { return nil }
    return refused[tag]?.reason ?? "has a dynamic tag that is not known"
  }

  /// What a tag is called, for people.
  static func name(of tag: UInt64, on machine: ELFMachine) -> String {
    let known = (accepted + acceptedOfMachine[machine, default: []]).first { $0.rawValue == tag }
    return known?.name ?? refused[tag]?.name ?? "0x" + String(tag, radix: 16)
  }

  private static let acceptedValues = Set(accepted.map(\.rawValue))
}
