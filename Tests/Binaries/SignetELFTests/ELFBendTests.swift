import Foundation
import Signet
import SignetBase
import TestSupport
import Testing

@testable import SignetELF

/// What the dynamic linker would only find out when it has run other libraries' code: each is refused before, for one reason.
@Suite(.enabled(if: ELFWorkshop.compiler != nil, ELFWorkshop.isMissing)) struct ELFBendTests {
  private static let relocations: [ELFBend] = [
    ELFBend("a relocation of an unknown kind", .elfRelocation) {
      $0.set(try $0.relocations(.own)[0] + 8, 0x7e, width: 4)
    },
    ELFBend("a copied variable", .elfRelocation, isFatal: false) { patch in
      patch.set(try patch.relocations(.symbol)[0] + 8, try ELFPatch.number(.copy), width: 4)
    },
    ELFBend("a relocation of code", .elfRelocation) { $0.set(try $0.relocations(.function)[0], try $0.code()) },
    ELFBend("a relocation of the header", .elfRelocation) { $0.set(try $0.relocations(.own)[0], 0) },
    ELFBend("a relocation outside of the library", .elfRelocation, isFatal: false) { patch in
      patch.set(try patch.relocations(.own)[0], 1 << 31)
    },
    ELFBend("a relocation across the end", .elfRelocation, isFatal: false) { patch in
      let data = try patch.data()
      patch.set(try patch.relocations(.own)[0], data.address + patch.u64(data.header + 40) - 4)
    },
    ELFBend("a relocation of the dynamic table", .elfRelocation, isFatal: false) { patch in
      patch.set(try patch.relocations(.own)[0], patch.u64(try patch.segment(.dynamic) + 16) + 8)
    },
    ELFBend("more relative relocations than there are", .elfMalformed, isFatal: false) { patch in
      try patch.replaceSpare(ELFDynamicTag.relativeCount.rawValue, 1000)
      try patch.setTag(.relativeCount, to: ELFDynamicTag.flags1.rawValue)
      patch.set(try patch.entry(.flags1) + 8, 0)
    },
    ELFBend("relative relocations that are others", .elfRelocation, isFatal: false) { patch in
      try patch.setValue(.relativeCount, to: try patch.value(.relativeCount) + 1)
    },
    ELFBend("a relocation in the table of functions that is of none", .elfRelocation, isFatal: false) { patch in
      patch.set(try patch.relocations(.function)[0] + 8, try ELFPatch.number(.symbol), width: 4)
    },
    ELFBend("a function that is chosen by data", .elfRelocation) { patch in
      let entry = try patch.relocations(.function)[0]
      patch.set(entry + 8, try ELFPatch.number(.chosen))
      patch.set(entry + 16, try patch.data().address)
    },
    ELFBend("a short relocation that begins nowhere", .elfMalformed, of: ELFBend.short) { patch in
      let table = try patch.offset(patch.value(.relatives))
      patch.set(table, patch.u64(table) | 1)
    },
    ELFBend("a short relocation of code", .elfRelocation, of: ELFBend.short) { patch in
      patch.set(try patch.offset(patch.value(.relatives)), try patch.code())
    },
    ELFBend("relocations of functions without their table", .elfMalformed) {
      try $0.setTag(.procedureRelocations, to: 21)
    },
    // glibc takes the size of the one from that of the other, and relocates neither.
    ELFBend("no other relocations, at the end of those of functions", .elfMalformed) { patch in
      let table = try patch.value(.relocations)
      let size = try patch.value(.relocationsSize) + patch.value(.procedureRelocationsSize)
      try patch.setValue(.procedureRelocations, to: table)
      try patch.setValue(.procedureRelocationsSize, to: size)
      try patch.setValue(.relocations, to: table + size)
      try patch.setValue(.relocationsSize, to: 0)
      try patch.setValue(.relativeCount, to: 0)
    },
  ]

  private static let symbols: [ELFBend] = [
    ELFBend("a needed symbol of an unknown binding", .elfSymbol, isFatal: false) {
      $0.set(try $0.symbol("abs") + 4, 0xd2, width: 1)
    },
    ELFBend("a symbol of an unknown binding", .elfSymbol) { $0.set(try $0.symbol("bump") + 4, 0xd2, width: 1) },
    ELFBend("a symbol of an unknown type", .elfSymbol, isFatal: false) {
      $0.set(try $0.symbol("pointer") + 4, 0x1c, width: 1)
    },
    ELFBend("a needed symbol that is internal", .elfSymbol, isFatal: false) {
      $0.set(try $0.symbol("abs") + 5, 1, width: 1)
    },
    ELFBend("a needed symbol that is hidden", .elfSymbol, isFatal: false) {
      $0.set(try $0.symbol("abs") + 5, 2, width: 1)
    },
    ELFBend("a needed symbol that is protected", .elfSymbol, isFatal: false) {
      $0.set(try $0.symbol("abs") + 5, 3, width: 1)
    },
    ELFBend("a needed symbol that has a place", .elfSymbol, isFatal: false) {
      $0.set(try $0.symbol("abs") + 8, try $0.data().address)
    },
    ELFBend("an initializer that is needed and hidden", .elfSymbol) { patch in
      try patch.setValue(.relativeCount, to: 0)
      let entry = try patch.initializer()
      let image = try ELFWorkshop.image(patch.bytes)
      let number = (try patch.symbol("abs") - image.symbols.range.lowerBound) / 24
      patch.set(entry + 8, UInt64(number) << 32 | (try ELFPatch.number(.symbol)))
      patch.set(entry + 16, 0)
      patch.set(try patch.symbol("abs") + 5, 2, width: 1)
    },
    ELFBend("an offered symbol that is a section", .elfSymbol) { $0.set(try $0.symbol("bump") + 4, 0x13, width: 1) },
    ELFBend("a symbol of its own without a place", .elfRelocation) { $0.set(try $0.symbol("bump") + 8, 0) },
    ELFBend("a symbol that is chosen by data", .elfSymbol) { patch in
      let symbol = try patch.symbol("bump")
      patch.set(symbol + 4, 0x1a, width: 1)
      patch.set(symbol + 8, try patch.data().address)
    },
    ELFBend("a first symbol that is one", .elfMalformed, isFatal: false) { patch in
      patch.set(try patch.offset(patch.value(.symbols)) + 4, 0x12, width: 1)
    },
    ELFBend("a filter that lets nothing through", .elfMalformed) { patch in
      let table = try patch.hash().table
      for word in 0..<patch.u32(table + 8) { patch.set(table + 16 + 8 * word, 0) }
    },
    ELFBend("a hash that is not the name's", .elfMalformed) { patch in
      let (_, _, chains, end) = try patch.hash()
      for word in stride(from: chains, to: end, by: 4) { patch.set(word, UInt64(patch.u32(word) ^ 0x100), width: 4) }
    },
    ELFBend("buckets that are empty", .elfMalformed) { patch in
      let (_, buckets, chains, _) = try patch.hash()
      for word in stride(from: buckets, to: chains - 4, by: 4) { patch.set(word, 0, width: 4) }
      patch.set(chains - 4, UInt64(try ELFWorkshop.image(ELFBend.library.get()).symbols.endIndex - 1), width: 4)
    },
    ELFBend("a symbol in front of those that are found", .elfMalformed, isFatal: false) {
      $0.set(try $0.symbol("abs") + 6, 1, width: 2)
    },
    ELFBend("a chain that comes back to itself", .elfMalformed, of: ELFBend.classic) { patch in
      let table = try patch.offset(patch.value(.hash))
      let (buckets, symbols) = (patch.u32(table), patch.u32(table + 4))
      for word in buckets..<buckets + symbols {
        patch.set(table + 8 + 4 * word, UInt64(max(word - buckets, 1)), width: 4)
      }
    },
    ELFBend("a bucket with a symbol that is not there", .elfMalformed, of: ELFBend.classic) { patch in
      let table = try patch.offset(patch.value(.hash))
      for word in 0..<patch.u32(table) { patch.set(table + 8 + 4 * word, 0x00ff_ffff, width: 4) }
    },
    ELFBend("versions of no symbols", .elfMalformed, isFatal: false, of: ELFBend.versioned) {
      try $0.setTag(.versions, to: 21)
    },
    ELFBend(
      "a version of symbols that is said to be of the file", .elfMalformed, isFatal: false, of: ELFBend.versioned
    ) { patch in
      let first = try patch.offset(patch.value(.versionDefinitions))
      patch.set(first + patch.u32(first + 16) + 2, 1, width: 2)
    },
    ELFBend(
      "a version of the file that is said to be of symbols", .elfMalformed, isFatal: false, of: ELFBend.versioned
    ) { patch in
      patch.set(try patch.offset(patch.value(.versionDefinitions)) + 2, 0, width: 2)
    },
  ]

  private static let others: [ELFBend] = [
    ELFBend("no variables of threads, and relocations for them", .elfRelocation, isFatal: false) { patch in
      patch.set(try patch.segment(.threadLocal), 0x6fff_ffff, width: 4)
      // Nor is there a symbol for them.
      patch.set(try patch.symbol("counter") + 4, 0x11, width: 1)
      patch.set(try patch.symbol("counter") + 8, try patch.data().address)
    },
    ELFBend("a variable of threads outside of them", .elfSymbol, isFatal: false) {
      $0.set(try $0.symbol("counter") + 8, 1 << 20)
    },
    ELFBend("variables of threads without an alignment", .elfMalformed, isFatal: false) {
      $0.set(try $0.segment(.threadLocal) + 48, 0)
    },
    ELFBend("too many variables of threads", .elfMalformed, isFatal: false) {
      $0.set(try $0.segment(.threadLocal) + 40, 1 << 30)
    },
    ELFBend("the flag of a place that is set aside", .elfStaticTLS, isFatal: false) { patch in
      // Some linkers say that all is bound at once with DT_FLAGS, others with the older DT_BIND_NOW.
      let tag = try patch.find(.flags) == nil ? ELFDynamicTag.bindNow : .flags
      try patch.setValue(tag, to: 16)
      try patch.setTag(tag, to: ELFDynamicTag.flags.rawValue)
    },
    ELFBend("an initializer that is data", .elfInitializer) {
      $0.set(try $0.initializer() + 16, try $0.data().address)
    },
    ELFBend("an initializer that nothing relocates", .elfInitializer) { patch in
      // The relocations that are said to be relative would be, whatever their kind.
      try patch.setValue(.relativeCount, to: 0)
      patch.set(try patch.initializer() + 8, 0)
    },
    ELFBend("a first initializer that is data", .elfInitializer) { try $0.replaceSpare(12, try $0.data().address) },
    ELFBend("a last finalizer that is data", .elfInitializer) { try $0.replaceSpare(13, try $0.data().address) },
    ELFBend("initializers that end within one", .elfMalformed, isFatal: false) {
      try $0.setValue(.initializersSize, to: 12)
    },
    ELFBend("code that is made read-only, and no code any more", .elfMalformed) { patch in
      let relro = try patch.segment(.readOnly)
      let code = try patch.load(flags: 5)
      for field in [8, 16, 24, 32, 40] { patch.set(relro + field, patch.u64(code.header + field)) }
      patch.set(relro + 40, 4096)
    },
    ELFBend("memory that is made read-only behind the last page", .elfMalformed, of: ELFBend.wide) { patch in
      let (relro, data) = (try patch.segment(.readOnly), try patch.data())
      let end = (data.address + patch.u64(data.header + 40) + 0xffff) & ~0xffff
      patch.set(relro + 16, data.address)
      patch.set(relro + 40, end - data.address)
    },
    ELFBend("a place that is too high", .elfMalformed, isFatal: false, of: ELFBend.high(0x7fff_ffff_c000)) { _ in },
    ELFBend("a place at the limit", .elfMalformed, isFatal: false, of: ELFBend.high(1 << 38)) { _ in },
    ELFBend("tables that cannot be read", .elfMalformed) { $0.set(try $0.segment(.load) + 4, 0, width: 4) },
    ELFBend("a segment that needs half of all addresses", .elfMalformed) { patch in
      patch.set(try patch.segment(.load, 1) + 48, 1 << 47)
      let load = try patch.segment(.load, 1)
      patch.set(load + 16, patch.u64(load + 8))
    },
    ELFBend("a dynamic table that cannot be written", .elfMalformed) {
      $0.set(try $0.data().header + 4, 4, width: 4)
    },
    ELFBend("a segment that grows and is read-only", .elfMalformed, isFatal: false) { patch in
      let size = try patch.segment(.load) + 40
      patch.set(size, patch.u64(size) + 1)
    },
    ELFBend("notes that are longer in memory", .elfMalformed, isFatal: false) { patch in
      let size = try patch.segment(.note) + 40
      patch.set(size, patch.u64(size) + 64)
    },
  ]

  #if arch(x86_64)
    private static let sizes: [ELFBend] = [
      ELFBend("the size of a symbol that nobody has", .elfRelocation, of: ELFBend.weak) { patch in
        for entry in try patch.relocations(.symbol) { patch.set(entry + 8, try ELFPatch.number(.size), width: 4) }
      }
    ]
  #else
    private static let sizes: [ELFBend] = []
  #endif

  private static let all = relocations + symbols + others + sizes

  @Test("each is refused, with its code", arguments: all)
  func refused(_ bend: ELFBend) throws {
    let bytes = try bend.make()
    do throws(SignetError) {
      let found = try ELFWorkshop.image(bytes).faults()
      #expect(found.map(\.code).contains(bend.code), "\(found.map { "\($0)" })")
    } catch {
      #expect(error.code == bend.code, "\(error)")
    }
  }

  @Test("what they are made of is accepted and opened, and with what is fatal in them they are not", .slow)
  func opened() throws {
    // Prelinked libraries begin below the limit.
    let whole = try [
      ELFBend.library, ELFBend.classic, ELFBend.short, ELFBend.versioned, ELFBend.wide, ELFBend.weak,
      ELFBend.high(0x30_0000_0000),
    ].map { try $0.get() }
    for bytes in whole { #expect(try ELFWorkshop.faults(bytes) == []) }
    let bends = Self.all.filter(\.isFatal)
    let statuses = try ELFOpener.statuses(whole + bends.map { try $0.make() })
    #expect(statuses.prefix(whole.count).allSatisfy { $0 == 0 }, "\(statuses)")
    for (bend, status) in zip(bends, statuses.dropFirst(whole.count)) { #expect(status != 0, "\(bend.name)") }
  }

  @Test("what not every system of the platform has is not demanded")
  func demands() throws {
    // A note of a system, in the place of the build-id, whose content begins as that of an ABI tag.
    for (system, major, minor, found) in [
      (0, 3, 2, nil), (0, 3, 8, "Linux 3.8"), (0, 4, 0, "Linux 4.0"), (2, 1, 0, "system 2"),
    ]
      as [(UInt64, UInt64, UInt64, String?)]
    {
      var patch = ELFPatch(try ELFBend.library.get())
      let note = Int(patch.u64(try patch.segment(.note) + 8))
      patch.set(note + 8, 1, width: 4)
      for (field, value) in [(16, system), (20, major), (24, minor)] { patch.set(note + field, value, width: 4) }
      let faults = try ELFWorkshop.image(patch.bytes).faults().filter { $0.code == .elfArchitecture }
      #expect(faults.map(\.found) == (found.map { [$0] } ?? []), "\(system) \(major) \(minor)")
    }
    // A property, the only note of its segment: GNU_PROPERTY_X86_ISA_1_NEEDED.
    let property =
      "asm(\".pushsection .note.gnu.property,\\\"a\\\",%note\\n.p2align 3\\n.long 4, 16, 5\\n.asciz \\\"GNU\\\"\\n"
    for (levels, found) in [
      (1, nil), (2, "x86-64-v2"), (9, "x86-64-v4"), (0x100, "levels of x86-64 that are not known"),
    ]
      as [(Int, String?)]
    {
      let text = property + ".long 0xc0008002, 4, \(levels), 0\\n.popsection\\n\");\n"
      let bytes = try ELFWorkshop.build(text + ELFWorkshop.source)
      // On other processors the number is another property's.
      let expected = ELFWorkshop.machine == .x86 ? found.map { [$0] } ?? [] : []
      #expect(
        try ELFWorkshop.image(bytes).faults().filter { $0.code == .elfArchitecture }.map(\.found) == expected,
        "\(levels)")
    }
  }

  @Test("relocations in the short form come with the version of glibc that takes them")
  func shortRelocations() throws {
    let folder = try TemporaryFolder()
    // Stands in for glibc's own: what counts is its name.
    _ = try ELFWorkshop.build(
      "int abs(int x) { return x; }", ["-Wl,-soname,libc.so.6"], in: folder, named: "libc.so.6")
    func build(_ flags: [String]) throws -> [String] {
      try ELFWorkshop.faults(
        ELFWorkshop.build(
          ELFBend.source, ["-fuse-ld=lld", "-Wl,--pack-dyn-relocs=relr", "-Wl,--no-as-needed"] + flags, in: folder))
    }
    try #require(Program.find("ld.lld") != nil)
    #expect(try build([]) == [])
    #expect(try build(["./libc.so.6"]) == ["elf.relocation"])
  }
}
