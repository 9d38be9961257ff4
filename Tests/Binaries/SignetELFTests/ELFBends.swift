import Foundation
import Signet
import SignetBase
import TestSupport
import Testing

@testable import SignetELF

/// A library as a linker makes it, with everything that the dynamic linker works by, and what becomes of it when one thing is bent.
struct ELFBend: CustomTestStringConvertible, Sendable {
  let name: String
  let code: SignetError.Code
  /// Whether dlopen fails with it, or never returns. What is not fatal shows the reader other tables than those that count.
  let isFatal: Bool
  let make: @Sendable () throws -> [UInt8]

  var testDescription: String { name }

  init(
    _ name: String, _ code: SignetError.Code, isFatal: Bool = true, of library: Result<[UInt8], any Error> = library,
    _ bend: @escaping @Sendable (inout ELFPatch) throws -> Void
  ) {
    self.name = name
    self.code = code
    self.isFatal = isFatal
    make = {
      var patch = ELFPatch(try library.get())
      try bend(&patch)
      return patch.bytes
    }
  }

  static let source = """
    extern int abs(int);
    static int value = 7;
    int *pointer = &value;
    int (*function)(int) = abs;
    __thread int counter = 3;
    static volatile int state;
    __attribute__((constructor)) static void begin(void) { state = 1; }
    __attribute__((destructor)) static void end(void) { state = 2; }
    __attribute__((noinline)) int bump(void) { return ++counter + abs(*pointer); }
    __attribute__((visibility("protected"))) int player_main(void) { return bump() + function(state); }
    """
  /// Symbols that any process has.
  static let known: Set<String> = ["abs", "__tls_get_addr", "_ITM_deregisterTMCloneTable", "__cxa_finalize"]

  static let library = Result { try ELFWorkshop.build(source, ["-Wl,--hash-style=gnu"]) }
  static let classic = Result { try ELFWorkshop.build(source, ["-Wl,--hash-style=sysv"]) }
  static let short = Result {
    // GNU's linker and LLVM's have names of their own for it.
    try ELFWorkshop.build(
      source,
      ELFWorkshop.linkers.contains("lld")
        ? ["-fuse-ld=lld", "-Wl,--pack-dyn-relocs=relr"] : ["-Wl,-z,pack-relative-relocs"])
  }
  /// Its pages are those of systems with large ones.
  static let wide = Result { try ELFWorkshop.build(source, ["-Wl,-z,max-page-size=65536"]) }
  /// It needs a symbol that may be missing.
  static let weak = Result {
    try ELFWorkshop.build(
      "extern int nobody_has_this __attribute__((weak));\nint *own = &nobody_has_this;\n" + source)
  }

  /// It begins at an address.
  static func high(_ address: UInt64) -> Result<[UInt8], any Error> {
    Result {
      // GNU's linker and LLVM's have names of their own for it.
      let address = "0x" + String(address, radix: 16)
      return try ELFWorkshop.build(
        source,
        ELFWorkshop.linkers.contains("lld")
          ? ["-fuse-ld=lld", "-Wl,--image-base=\(address)"] : ["-Wl,-Ttext-segment=\(address)"])
    }
  }
  static let versioned = Result {
    let folder = try TemporaryFolder()
    try folder.write("versions", Array("OWN_1 { global: *; };".utf8))
    return try ELFWorkshop.build(
      source, ["-Wl,--version-script=\(folder.file("versions"))", "-Wl,-soname,m.so"], in: folder)
  }
}

extension ELFPatch {
  /// Where an address lies in the file.
  func offset(_ address: UInt64) throws -> Int {
    for header in (0..<u16(56)).map({ Int(u64(32)) + $0 * 56 }) where u32(header) == 1 {
      let start = u64(header + 16)
      if address >= start, address < start + u64(header + 32) { return Int(u64(header + 8) + address - start) }
    }
    throw Missing()
  }

  struct Missing: Error {}

  /// Where the segment with these flags begins: its address, and where its header is.
  func load(flags: Int) throws -> (address: UInt64, header: Int) {
    let header = try #require(
      (0..<u16(56)).map { Int(u64(32)) + $0 * 56 }.first { u32($0) == 1 && u32($0 + 4) == flags })
    return (u64(header + 16), header)
  }

  /// Code, and data.
  func code() throws -> UInt64 { try load(flags: 5).address }
  func data() throws -> (address: UInt64, header: Int) { try load(flags: 6) }

  /// Where a table is that has a size; nil where there is none.
  func table(_ tag: ELFDynamicTag, _ sizeTag: ELFDynamicTag) throws -> Range<Int>? {
    guard let entry = try find(tag) else { return nil }
    let start = try offset(u64(entry + 8))
    return start..<start + Int(try value(sizeTag))
  }

  /// Where the relocations of a kind are.
  func relocations(_ meaning: ELFRelocationType.Meaning) throws -> [Int] {
    let found = try all(meaning)
    try #require(!found.isEmpty)
    return found
  }

  func all(_ meaning: ELFRelocationType.Meaning) throws -> [Int] {
    var found: [Int] = []
    for (tag, size) in [
      (ELFDynamicTag.relocations, ELFDynamicTag.relocationsSize), (.procedureRelocations, .procedureRelocationsSize),
    ] {
      guard let table = try table(tag, size) else { continue }
      for entry in stride(from: table.lowerBound, to: table.upperBound, by: 24)
      where ELFRelocationType.find(UInt32(u32(entry + 8)), on: ELFWorkshop.machine)?.meaning == meaning {
        found.append(entry)
      }
    }
    return found
  }

  /// The number of a kind of relocation.
  static func number(_ meaning: ELFRelocationType.Meaning) throws -> UInt64 {
    UInt64(
      try #require(
        (0..<2048).first { ELFRelocationType.find(UInt32($0), on: ELFWorkshop.machine)?.meaning == meaning }))
  }

  /// Where a symbol is.
  func symbol(_ name: String) throws -> Int {
    let image = try ELFWorkshop.image(bytes)
    let number = try #require(image.symbols.indices.first { image.symbols[$0].name == name })
    return image.symbols.range.lowerBound + 24 * number
  }

  /// Where the relocation of the first initializer is.
  func initializer() throws -> Int {
    let table = try value(.initializers)
    return try #require(relocations(.own).first { u64($0) == table })
  }

  /// Where GNU's hash table has its buckets and chains.
  func hash() throws -> (table: Int, buckets: Int, chains: Int, end: Int) {
    let table = try offset(value(.gnuHash))
    let buckets = table + 16 + 8 * u32(table + 8)
    let chains = buckets + 4 * u32(table)
    let count = try ELFWorkshop.image(bytes).symbols.endIndex - u32(table + 4)
    return (table, buckets, chains, chains + 4 * count)
  }
}

/// Opens libraries, each in a process of its own.
enum ELFOpener {
  private static let source = """
    #include <dlfcn.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <sys/resource.h>
    #include <sys/wait.h>
    #include <unistd.h>
    int main(int count, char **paths) {
      for (int i = 1; i < count; i++) {
        int status = 0;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
          // For those that never return, be it that they compute or that they wait. What returns does so at once.
          setrlimit(RLIMIT_CPU, &(struct rlimit){1, 1});
          alarm(20);
          freopen("/dev/null", "w", stderr);
          exit(dlopen(paths[i], RTLD_NOW | RTLD_LOCAL) ? 0 : 1);
        }
        waitpid(child, &status, 0);
        printf("%d\\n", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
      }
    }
    """

  /// What becomes of each: 0 when it was opened and the process ended in order, 1 when it was refused, else the number of a signal and 128.
  static func statuses(_ libraries: [[UInt8]]) throws -> [Int] {
    let folder = try TemporaryFolder()
    try folder.write("open.c", Array(source.utf8))
    let compiler = try #require(ELFWorkshop.compiler)
    let built = try Program.run(compiler, ["-o", "open", "open.c", "-ldl"], in: folder.path)
    try #require(built.status == 0, "\(built.errors)")
    var paths: [String] = []
    for (number, bytes) in libraries.enumerated() {
      try folder.write("\(number).so", bytes)
      paths.append("./\(number).so")
    }
    let result = try Program.run(folder.file("open"), paths, in: folder.path)
    let statuses = result.output.split(separator: "\n").compactMap { Int($0) }
    try #require(statuses.count == libraries.count, "\(result.errors)")
    return statuses
  }
}
