import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import SignetELF

/// Files that somebody has made to break the reader of profiles.
struct ELFProfileDamageTests {
  /// The bytes that a profile may read of a file, besides those of the file itself: each table is bounded.
  private static let readLimit = 4 << 20

  /// Reads a profile, which may only fail because the file is malformed.
  private static func read(_ bytes: [UInt8]) throws -> Bool {
    let source = LibraryBytes(bytes)
    defer { #expect(source.totalRead <= 8 * bytes.count + readLimit) }
    do throws(SignetError) {
      _ = try ELFProfile(source, path: "m")
      return true
    } catch {
      #expect(error.code == .elfMalformed, "\(error)")
      return false
    }
  }

  @Test("every truncation of a small library of any form is malformed", arguments: SyntheticELF.forms.indices)
  func truncations(_ index: Int) throws {
    let whole = SyntheticELF.forms[index].bytes()
    #expect(try Self.read(whole))
    for length in whole.indices { #expect(try !Self.read(Array(whole.prefix(length))), "\(length)") }
  }

  @Test("every changed byte of a small library of any form is survived", arguments: SyntheticELF.forms.indices)
  func changes(_ index: Int) throws {
    let whole = SyntheticELF.forms[index].bytes()
    var readable = 0
    for place in whole.indices {
      for value in [0, 0xff, 0x7f, 0x80, whole[place] ^ 1] as [UInt8] {
        var bytes = whole
        bytes[place] = value
        let isRead = try Self.read(bytes)
        // The identification says how all else is read.
        if place < 6, bytes != whole { #expect(!isRead, "\(place) \(value)") }
        if isRead { readable += 1 }
      }
    }
    // Some bytes decide where the tables are, and most are in no table.
    #expect(readable > whole.count && readable < whole.count * 5 - 100)
  }

  @Test(
    "truncations and random changes of a program are survived",
    .enabled(if: CProgram.compiler != nil, CProgram.isMissing), .seeded)
  func program() throws {
    let whole = try CProgram.build()
    #expect(try Self.read(whole))
    for length in stride(from: 0, to: whole.count, by: 37) { _ = try Self.read(Array(whole.prefix(length))) }
    var random = SeededRandom()
    let head = 64 + 56 * 16
    var readable = 0
    for turn in 0..<3000 {
      var bytes = whole
      // The header, the program headers and the section headers, which are at the end, decide where all else is.
      let places = [0..<head, 0..<whole.count, (whole.count - 64 * 40)..<whole.count][turn % 3]
      for _ in 0...Int.random(in: 0..<3, using: &random) {
        bytes[Int.random(in: places, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if try Self.read(bytes) { readable += 1 }
    }
    // Most changes meet bytes that no table is made of.
    #expect(readable > 300)
  }

  @Test("numbers of the largest size are refused, not believed", arguments: SyntheticELF.forms.indices)
  func largest(_ index: Int) throws {
    let form = SyntheticELF.forms[index]
    let whole = form.bytes()
    let word = form.is64Bit ? 8 : 4
    // Where the table of segments begins. One of sections need not be there.
    let segments = form.is64Bit ? 32 : 28
    for place in stride(from: 16, to: whole.count - word, by: 4) {
      var bytes = whole
      for number in [UInt64.max, UInt64.max >> 1] {
        bytes.replaceSubrange(place..<place + word, with: form.number(number, word))
        let isRead = try Self.read(bytes)
        if place == segments { #expect(!isRead, "\(place)") }
      }
    }
  }

  @Test("many symbols are looked at, and a number of symbols that the file does not have is not believed")
  func manySymbols() throws {
    let imports = [String](repeating: "", count: 20_000) + ["__stack_chk_fail"]
    let profile = try ELFProfile(LibraryBytes(SyntheticELF(imports: imports).bytes()), path: "m")
    #expect(profile.protections?.hasStackProtector == true)
    // The number in DT_HASH is beyond what the file has.
    var bytes = SyntheticELF(imports: ["__stack_chk_fail"]).bytes()
    let head: [UInt8] = [1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0]
    let table = try #require(stride(from: 0, to: bytes.count, by: 8).first { bytes[$0...].starts(with: head) })
    bytes[table + 6] = 0x20
    #expect(try ELFProfile(LibraryBytes(bytes), path: "m").protections == nil)
  }
}
