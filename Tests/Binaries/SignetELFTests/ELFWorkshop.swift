import Foundation
import Signet
import SignetBase
import SignetSystem
import Synchronization
import TestSupport
import Testing

@testable import SignetELF

/// Builds shared libraries for tests, without any header or start file.
enum ELFWorkshop {
  #if arch(arm64)
    static let platform = ModulePlatform.linuxARM
    static let machine = ELFMachine.arm
    static let otherMachine = ELFMachine.x86
  #else
    static let platform = ModulePlatform.linuxX86
    static let machine = ELFMachine.x86
    static let otherMachine = ELFMachine.arm
  #endif

  #if os(Linux)
    static let compiler = Program.find("clang") ?? Program.find("cc")
  #else
    static let compiler: String? = nil
  #endif

  /// The linkers that are there.
  static let linkers = ["bfd", "gold", "lld"].filter { Program.find("ld.\($0)") != nil }

  static let isMissing = Comment("no compiler for ELF libraries")
  static let principal = "player_main"
  /// The module that the libraries are of.
  static let identifier: ModuleIdentifier = {
    guard let identifier = ModuleIdentifier("com.example.player") else { preconditionFailure("no identifier") }
    return identifier
  }()
  static let source = """
    __attribute__((visibility("hidden"))) int state = 3;
    extern int helper(int);
    __attribute__((visibility("protected"))) int player_main(void) { return helper(state); }
    """
  /// What keeps a library free of faults and advice, whatever the linker does by itself.
  static let soundFlags = ["-Wl,--build-id=sha1", "-Wl,-z,now", "-Wl,-z,noexecstack"]

  /// A library that nothing is wrong with.
  static let sound = Result { try build() }

  static func build(
    _ source: String = source, _ flags: [String] = [], in folder: TemporaryFolder? = nil, named name: String = "m.so",
    language: String = "c"
  ) throws -> [UInt8] {
    let folder = try folder ?? TemporaryFolder()
    let compiler = try #require(compiler)
    try folder.write("source.\(language)", Array(source.utf8))
    let result = try Program.run(
      compiler,
      ["-shared", "-fPIC", "-nostdlib", "-O1", "-o", name, "source.\(language)"] + soundFlags + flags,
      in: folder.path)
    try #require(result.status == 0, "\(result.errors)")
    return try folder.read(name)
  }

  static func image(_ bytes: [UInt8], _ path: String = "lib/m.so") throws(SignetError) -> ELFImage {
    try ELFImage(LibraryBytes(bytes), path: path, for: machine)
  }

  /// The codes of all that is wrong with a library by itself.
  static func faults(_ bytes: [UInt8]) throws -> [String] { try image(bytes).faults().map(\.code.rawValue) }
}

/// A library in memory, which notes how much of it is read.
final class LibraryBytes: ByteSource {
  let path = "memory"
  let bytes: [UInt8]
  private let counts = Mutex((total: 0, largest: 0))

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var size: Int { bytes.count }
  var totalRead: Int { counts.withLock { $0.total } }
  var largestRead: Int { counts.withLock { $0.largest } }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SignetError) {
    guard offset >= 0, offset + buffer.count <= bytes.count else {
      Issue.record("read beyond the end: \(buffer.count) at \(offset) of \(bytes.count)")
      throw SignetError(.fileChanged, path, "is shorter than it was")
    }
    buffer.copyBytes(from: bytes[offset..<offset + buffer.count])
    counts.withLock { $0 = ($0.total + buffer.count, max($0.largest, buffer.count)) }
  }
}

/// Bytes of a library that are changed in its tables.
struct ELFPatch {
  private(set) var bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func u16(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }
  func u32(_ offset: Int) -> Int { u16(offset) | u16(offset + 2) << 16 }
  func u64(_ offset: Int) -> UInt64 { UInt64(u32(offset)) | UInt64(u32(offset + 4)) << 32 }

  mutating func set(_ offset: Int, _ value: UInt64, width: Int = 8) {
    for index in 0..<width { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(index))) }
  }

  /// Where the program header of a kind is, the first or a later one.
  func segment(_ kind: ELFSegment.Kind, _ number: Int = 0) throws -> Int {
    let all = (0..<u16(56)).map { Int(u64(32)) + $0 * 56 }.filter { u32($0) == Int(kind.rawValue) }
    return try #require(all.dropFirst(number).first)
  }

  /// Where a dynamic entry is.
  func entry(_ tag: ELFDynamicTag) throws -> Int {
    let found = try find(tag)
    return try #require(found)
  }

  /// Where a dynamic entry is; nil where there is none.
  func find(_ tag: ELFDynamicTag) throws -> Int? {
    let dynamic = try segment(.dynamic)
    let start = Int(u64(dynamic + 8))
    return stride(from: start, to: start + Int(u64(dynamic + 32)), by: 16).first { u64($0) == tag.rawValue }
  }

  func value(_ tag: ELFDynamicTag) throws -> UInt64 { u64(try entry(tag) + 8) }

  mutating func setTag(_ tag: ELFDynamicTag, to other: UInt64) throws { set(try entry(tag), other) }
  mutating func setValue(_ tag: ELFDynamicTag, to value: UInt64) throws { set(try entry(tag) + 8, value) }

  /// Takes an entry of no use for another one: DT_FLAGS_1 says what DT_FLAGS says.
  mutating func replaceSpare(_ tag: UInt64, _ value: UInt64) throws {
    let entry = try entry(.flags1)
    set(entry, tag)
    set(entry + 8, value)
  }
}
