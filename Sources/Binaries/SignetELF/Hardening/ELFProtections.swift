internal import SignetBase

/// What the symbols of a dynamically linked program or library tell of how its C code was compiled.
package struct ELFProtections: Sendable {
  /// Whether some function checks its stack frame before it returns.
  package private(set) var hasStackProtector = false
  /// The functions of the C library that it uses in the form which checks the sizes of buffers, sorted.
  package private(set) var fortified: [String] = []
  /// The functions that it uses without such checks, although there is a form with them, sorted.
  package private(set) var unfortified: [String] = []

  /// The maximum size of the symbols' names in bytes; the largest libraries have some MiB.
  private static let namesLimit = 64 << 20

  /// What the name of a symbol means.
  private enum Meaning {
    case stackProtector
    case fortified
    case unfortified
  }

  /// - Returns: nil if the symbols are not known.
  /// - Throws: `file.…` if the file cannot be read.
  init?(
    _ table: ELFLinkingTable, segments: ELFSegmentTable, sections: ELFSections, in file: ELFFile,
    for processor: ELFProcessor
  ) throws(SignetError) {
    let search = ELFSymbolCount(linking: table, segments: segments, file: file, processor: processor)
    guard let count = try search.find(sections), let strings = table.strings(segments),
      strings.count <= Self.namesLimit, let symbols = table[.symbols].flatMap(segments.range(from:)),
      symbols.count / processor.form.symbolSize >= count
    else { return nil }
    let places = try Self.places(symbols.prefix(count * processor.form.symbolSize), file, processor.form)
    var names = ELFShortNames(strings, file)
    var last: UInt64?
    for place in places where place != last {
      last = place
      let isDefined = place & 1 == 1
      guard let offset = Int(exactly: place >> 1),
        let bytes = try names.name(at: offset, atMost: Self.longestName), let meaning = Self.meanings[Array(bytes)]
      else { continue }
      let name = String(decoding: bytes, as: UTF8.self)
      switch meaning {
      case .stackProtector: hasStackProtector = true
      case .fortified where !isDefined: fortified.append(name)
      case .unfortified where !isDefined: unfortified.append(name)
      case .fortified, .unfortified: continue
      }
    }
    fortified = Self.sorted(fortified)
    unfortified = Self.sorted(unfortified)
  }

  /// The names' offsets of all symbols that other images see, each doubled, and one more if the symbol is defined
  /// here. They are sorted, so that the names are read from front to back.
  private static func places(
    _ symbols: Range<Int>, _ file: ELFFile, _ form: ELFForm
  ) throws(SignetError) -> [UInt64] {
    let size = form.symbolSize
    var places: [UInt64] = []
    places.reserveCapacity(symbols.count / size)
    let piece = ELFFile.pieceSize / size * size
    for start in stride(from: symbols.lowerBound, to: symbols.upperBound, by: piece) {
      let table = try file.numbers(at: start, min(piece, symbols.upperBound - start), form)
      for place in stride(from: 0, to: table.count, by: size) {
        let binding = table.bytes[place + (form.is64Bit ? 4 : 12)] >> 4
        let section = table.u16(place + (form.is64Bit ? 6 : 14))
        if binding != 0 { places.append(UInt64(table.u32(place)) << 1 | (section == 0 ? 0 : 1)) }
      }
    }
    return places.sorted()
  }

  /// Two names can be equal, because symbols have versions besides.
  private static func sorted(_ names: [String]) -> [String] {
    Set(names).sorted { $0.precedesInBytes($1) }
  }

  /// The names that have a meaning. Each fortified function of glibc has its own name between `__` and `_chk`.
  private static let meanings: [[UInt8]: Meaning] = {
    var meanings: [[UInt8]: Meaning] = [:]
    for name in stackProtectors { meanings[Array(name.utf8)] = .stackProtector }
    for name in checked { meanings[Array(name.utf8)] = .fortified }
    for name in fortifiable {
      meanings[Array(name.utf8)] = .unfortified
      meanings[Array("__\(name)_chk".utf8)] = .fortified
    }
    return meanings
  }()
  private static let longestName = meanings.keys.reduce(0) { max($0, $1.count) }

  /// The function that ends the process, the value that is compared where threads have none of their own, and the
  /// names of Intel's compiler.
  private static let stackProtectors = [
    "__stack_chk_fail", "__stack_chk_fail_local", "__stack_chk_guard", "__intel_security_cookie",
    "__intel_security_check_cookie",
  ]
  /// Functions for calls that cannot be checked otherwise.
  private static let checked = [
    "__open_2", "__open64_2", "__openat_2", "__openat64_2", "__mq_open_2", "__fdelt_chk", "__longjmp_chk",
    "__chk_fail",
  ]
  /// The functions of glibc 2.41 that have a checking form.
  private static let fortifiable =
    words("memcpy memmove mempcpy memset explicit_bzero strcpy stpcpy strncpy stpncpy strcat strncat strlcpy strlcat")
    + words("wmemcpy wmemmove wmempcpy wmemset wcscpy wcpcpy wcsncpy wcpncpy wcscat wcsncat wcslcpy wcslcat")
    + words("sprintf vsprintf snprintf vsnprintf printf vprintf fprintf vfprintf dprintf vdprintf asprintf vasprintf")
    + words("swprintf vswprintf wprintf vwprintf fwprintf vfwprintf obstack_printf obstack_vprintf syslog vsyslog")
    + words("gets fgets fgets_unlocked fgetws fgetws_unlocked fread fread_unlocked read pread pread64 recv recvfrom")
    + words("mbstowcs wcstombs mbsrtowcs wcsrtombs mbsnrtowcs wcsnrtombs wcrtomb wctomb")
    + words("getcwd getwd readlink readlinkat realpath confstr getgroups getlogin_r gethostname getdomainname")
    + words("ttyname_r ptsname_r poll ppoll")

  private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
}
