/// DT_FLAGS (gABI, "Dynamic Section", DF_…).
struct ELFFlags: OptionSet {
  let rawValue: UInt64

  static let origin = ELFFlags(rawValue: 1)
  static let symbolic = ELFFlags(rawValue: 2)
  static let textRelocations = ELFFlags(rawValue: 4)
  static let bindNow = ELFFlags(rawValue: 8)
  static let staticThreadLocal = ELFFlags(rawValue: 16)

  /// What a module may have. `$ORIGIN` has no place in a name here, so that the first says nothing.
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

  /// What a module may have: nothing that makes dlopen fail, or that reaches beyond the module.
  static let accepted: ELFFlags1 = [.now, .noDelete, .origin, .noDefaultLibraries]
}

extension ELFImage {
  var flags: ELFFlags { ELFFlags(rawValue: dynamic[.flags] ?? 0) }
  var flags1: ELFFlags1 { ELFFlags1(rawValue: dynamic[.flags1] ?? 0) }
}
