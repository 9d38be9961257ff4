package import SignetBase
package import SignetSystem

/// What an ELF file of any processor says about itself: what it is, and how it is hardened.
///
/// ``ELFImage`` is strict about everything that a loader relies on; a profile accepts whatever a system might run.
/// The file is read in pieces, and none of its tables takes more than some MiB of memory. What the file does not say
/// is nil, not guessed.
package struct ELFProfile: Sendable {
  /// What kind of file it is.
  package let kind: Kind
  /// The processor that it is built for.
  package let processor: ELFProcessor
  /// The path of the dynamic linker that a program wants; nil for static programs, and for most libraries.
  package let interpreter: [UInt8]?
  /// What it asks of the dynamic linker; nil if it does not want one.
  package let linking: ELFLinking?
  /// Whether memory that only the dynamic linker writes becomes read-only (PT_GNU_RELRO).
  package let hasReadOnlyRelocations: Bool
  /// Whether some of its memory can be written.
  package let hasWritableData: Bool
  /// What it says of the stack.
  package let stack: Stack
  /// The addresses of segments that can be written and executed.
  package let writableCode: [UInt64]
  /// The build ID from the linker, or nil.
  package let buildID: [UInt8]?
  /// What the section headers say; those of objects and core dumps are not read.
  package let sections: ELFSections
  /// The languages of its code, as far as there is evidence.
  package let languages: Set<ELFLanguage>
  /// What its symbols tell of how C code was compiled; nil if they are not known, as in static programs.
  package let protections: ELFProtections?

  /// What kind of file it is.
  package enum Kind: Sendable {
    /// A program that is always at the same address.
    case program
    /// A program that can be at any address.
    case positionIndependentProgram
    /// A library that programs are linked with, or load.
    case sharedLibrary
    /// The symbols of another file, without its code and data.
    case separateSymbols
    /// Code that is yet to be linked, or a kernel module.
    case object
    /// Code that no system runs or loads: firmware, a boot loader, or a kernel.
    case firmware
    /// The memory of a process that has crashed.
    case coreDump
    /// A type that belongs to one system or processor.
    case other
  }

  /// What a file says of the stack (PT_GNU_STACK).
  package enum Stack: Sendable {
    /// It need not be executable.
    case notExecutable
    /// It must be executable.
    case executable
    /// Nothing. Whether the stack is executable depends on the processor.
    case unstated
  }

  /// The longest path in Linux (PATH_MAX).
  private static let pathLimit = 4096

  /// Reads a profile.
  ///
  /// - Parameter path: the name of the file in messages.
  /// - Throws: `elf.malformed` if the header, the program headers or the dynamic table cannot be read; `file.…` if
  ///   the source cannot be read.
  package init(_ source: any ByteSource, path: String) throws(SignetError) {
    let file = ELFFile(source, path: path, hint: "build it again, or get it again from where it comes from")
    let head = try ELFHead(file)
    // Other types have no segments that a system runs, or, in core dumps, those of a process.
    let segments = (2...3).contains(head.type) ? try ELFSegmentTable(file, head) : nil
    processor = head.processor
    sections = try segments == nil ? ELFSections() : ELFSections(file, head)
    linking = try segments.flatMap { (segments) throws(SignetError) in
      try ELFLinking(segments, file, head.form)
    }
    interpreter = try segments?[.interpreter].flatMap { (segment) throws(SignetError) in
      try Self.interpreter(segment, file)
    }
    hasReadOnlyRelocations = segments?.all.contains { $0.kind == .readOnly && $0.memorySize > 0 } ?? false
    hasWritableData = segments?.loads.contains { $0.isWritable } ?? false
    stack = Self.stack(segments)
    writableCode = segments?.loads.filter { $0.isWritable && $0.isExecutable }.map(\.address) ?? []
    buildID = try ELFBuildID.find(in: segments, sections: sections, of: file, form: head.form)
    languages = try ELFLanguage.found(sections, linking, file)
    kind = Self.kind(
      of: head, segments: segments, sections: sections, linking: linking, hasInterpreter: interpreter != nil)
    // Its tables are for its own loader, and may be elsewhere.
    if let table = linking?.table, let segments, kind != .firmware {
      protections = try ELFProtections(table, segments: segments, sections: sections, in: file, for: processor)
    } else {
      protections = nil
    }
  }

  private static func interpreter(
    _ segment: ELFSegmentTable.Segment, _ file: ELFFile
  ) throws(SignetError) -> [UInt8]? {
    guard segment.fileSize > 0 else { return nil }
    guard let range = file.range(segment.offset, segment.fileSize), range.count <= pathLimit else {
      throw file.malformed("has the path of a dynamic linker that is too long, or not in the file")
    }
    return Array(try file.bytes(at: range.lowerBound, range.count).bytes.prefix { $0 != 0 })
  }

  private static func stack(_ segments: ELFSegmentTable?) -> Stack {
    guard let segment = segments?[.stack] else { return .unstated }
    return segment.isExecutable ? .executable : .notExecutable
  }

  private static func kind(
    of head: ELFHead, segments: ELFSegmentTable?, sections: ELFSections, linking: ELFLinking?,
    hasInterpreter: Bool
  ) -> Kind {
    let type = head.type
    guard let segments else { return type == 1 ? .object : type == 4 ? .coreDump : .other }
    // The program headers must agree that no code is there, because sections prove nothing.
    if sections.hasCode, !sections.hasCodeInFile, segments.lackCode { return .separateSymbols }
    if ELFFirmware.isOne(head, segments, linking, hasInterpreter: hasInterpreter) { return .firmware }
    if type == 2 { return .program }
    guard let linking else { return hasInterpreter ? .positionIndependentProgram : .sharedLibrary }
    // Linkers did not always mark programs. A library such as libc.so.6, which also runs as a program, has a name.
    let looksLikeProgram = linking.soname == nil && (hasInterpreter || linking.hasDebuggersPlace)
    return linking.isMarkedAsProgram || looksLikeProgram ? .positionIndependentProgram : .sharedLibrary
  }

  /// Whether a system runs it or loads it: a program or a shared library. Only that is judged by how it is hardened.
  package var isLoadable: Bool {
    switch kind {
    case .program, .positionIndependentProgram, .sharedLibrary: true
    case .separateSymbols, .object, .firmware, .coreDump, .other: false
    }
  }

  /// Whether it is a program that needs no dynamic linker.
  package var isStaticProgram: Bool {
    interpreter == nil && (kind == .program || kind == .positionIndependentProgram)
  }

  /// Whether the addresses of functions are found when they are first called, in tables that stay writable.
  package var bindsLazily: Bool {
    guard let linking else { return false }
    return linking.hasProcedureTable && !linking.bindsNow
  }

  /// Whether it gets an executable stack, or makes those of its process executable.
  package var hasExecutableStack: Bool {
    switch stack {
    case .notExecutable: false
    case .executable: true
    case .unstated: processor.hasExecutableStackUnlessStated
    }
  }

  /// Whether its code is C or C++, by evidence, and no other language.
  package var isC: Bool { languages == [.c] }

  /// Whether it uses glibc, whose functions have forms that check the sizes of buffers.
  package var usesGlibc: Bool { linking?.needed.contains { $0.starts(with: "libc.so.6".utf8) } ?? false }
}
