import SignetBase
import SignetSystem
import Synchronization
import TestSupport
import Testing

@testable import ReleaseGate

/// Files that begin like binaries, and cannot be read as such.
struct DamagedBinaryTests {
  private static let magic: [UInt8] = [0x7f, 0x45, 0x4c, 0x46]

  @Test("a damaged binary has one finding, and no other rule judges it")
  func damaged() throws {
    let binary = CheckedBinary(Self.magic + Array("2.1".utf8))
    #expect(
      try binary.allFindings().map(\.facts) == [
        [
          "binary-format", "error", "linux/tool.zip", "bin/tool", nil, "ends in its header", "elf.malformed",
          "a whole ELF file", nil,
        ]
      ])
    let rule = try CheckedBinary.rule(StrippedRule.self)
    #expect(try binary.findings(of: rule).isEmpty)
    #expect(try CheckedBinary(Array("#!/bin/sh\n".utf8)).allFindings().isEmpty)
    #expect(try CheckedBinary([]).allFindings().isEmpty)
  }

  @Test("a truncated binary is found at any length", .enabled(if: CProgram.compiler != nil, CProgram.isMissing))
  func truncated() throws {
    let whole = try CProgram.build()
    for length in stride(from: 4, to: whole.count, by: 1021) {
      let findings = try CheckedBinary(Array(whole.prefix(length))).allFindings()
      #expect(findings.first?.rule == "binary-format", "\(length)")
      #expect(findings.dropFirst().isEmpty, "\(length)")
    }
    // Without its last bytes, only the section headers are damaged.
    let findings = try CheckedBinary(whole.dropLast()).allFindings()
    #expect(
      findings.map(\.facts) == [
        [
          "binary-format", "error", "linux/tool.zip", "bin/tool", "section headers",
          "has section headers that cannot be read", nil, "section headers in the file, or none",
          "unreadable section headers",
        ]
      ])
    let rule = try CheckedBinary.rule(StrippedRule.self)
    #expect(
      try CheckedBinary(whole.dropLast()).findings(of: rule).map(\.message) == [
        "has section headers that cannot be read, so that its symbols are unknown"
      ])
  }

  /// Bytes that count how often their beginning is read, or that cannot be read.
  private final class Watched: ByteSource {
    let path = "bin/tool"
    let bytes: BytesInMemory
    let isBroken: Bool
    let heads = Mutex(0)

    init(_ bytes: [UInt8], isBroken: Bool = false) {
      self.bytes = BytesInMemory(bytes, path: path)
      self.isBroken = isBroken
    }

    var size: Int { bytes.size }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SignetError) {
      guard !isBroken else { throw SignetError(.fileReadFailed, path, "cannot be read") }
      if offset == 0 { heads.withLock { $0 += 1 } }
      try bytes.read(into: buffer, at: offset)
    }
  }

  @Test(
    "all rules together read a binary once, on any number of threads",
    .enabled(if: CProgram.compiler != nil, CProgram.isMissing))
  func once() async throws {
    let bytes = try CProgram.build()
    let once = Watched(bytes)
    _ = try #require(Self.file(bytes, once).binary).get()
    let number = once.heads.withLock { $0 }
    let source = Watched(bytes)
    let (file, artifact) = (Self.file(bytes, source), try CheckedBinary(bytes).artifact())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for type in CheckedBinary.allRules {
        group.addTask { _ = try CheckedBinary.findings(of: CheckedBinary.rule(type), file, artifact) }
      }
      try await group.waitForAll()
    }
    #expect(source.heads.withLock { $0 } == number)
  }

  @Test("a binary that cannot be read is no binary without findings")
  func unreadable() throws {
    let artifact = try CheckedBinary(Self.magic).artifact()
    for type in CheckedBinary.allRules where type != NeededLibrariesRule.self && type != ArchitectureRule.self {
      let rule = try CheckedBinary.rule(type)
      let broken = Self.file(Self.magic, Watched(Self.magic, isBroken: true))
      expectError(.fileReadFailed) { _ = try CheckedBinary.findings(of: rule, broken, artifact) }
      let missing = ContentFile(entry: "m", size: 4, mode: 0o755, head: Self.magic, source: nil, reading: 1)
      expectError(.fileUnreadable) { _ = try CheckedBinary.findings(of: rule, missing, artifact) }
    }
  }

  private static func file(_ bytes: [UInt8], _ source: any ByteSource) -> ContentFile {
    ContentFile(
      entry: "bin/tool", size: bytes.count, mode: 0o755, head: Array(bytes.prefix(ContentFile.headSize)),
      source: source, reading: 1)
  }
}
