import Foundation
import Signet
import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import SignetELF

/// Libraries as `readelf` of GNU Binutils reads them.
@Suite(.enabled(if: ELFWorkshop.compiler != nil && Program.find("readelf") != nil, "no compiler or no readelf"))
struct ReadelfTests {
  @Test("a library that was built here is read as readelf reads it")
  func built() throws {
    let folder = try TemporaryFolder()
    _ = try ELFWorkshop.build(
      "int helper(int x) { return x; }", ["-Wl,-soname,libhelper.so.1"], in: folder, named: "libhelper.so")
    _ = try ELFWorkshop.build(
      ELFWorkshop.source, ["-L.", "-lhelper", "-Wl,-soname,m.so", "-Wl,-rpath,/a:/b"], in: folder)
    for name in ["libhelper.so", "m.so"] { try compare(folder.file(name)) }
  }

  @Test("what this process has loaded is sound, and read as readelf reads it", .slow)
  func loaded() throws {
    // Foundation reads a file of /proc up to the first short read.
    let maps = try Program.run("/bin/cat", ["/proc/\(ProcessInfo.processInfo.processIdentifier)/maps"]).output
    let words = maps.split(separator: "\n").compactMap { $0.split(separator: " ").last.map(String.init) }
    let paths = Set(words.filter { $0.hasPrefix("/") && $0.contains(".so") }).sorted()
    #expect(paths.count > 10)
    for path in paths { try compare(path) }
  }

  private func compare(_ path: String) throws {
    let file = try RegularFile(opening: path)
    let image = try ELFImage(file, path: path, for: ELFWorkshop.machine)
    let lines = try readelf(["-d", "-l", "-n", "-W"], path)
    func bracketed(_ tag: String) -> [String] {
      lines.filter { $0.contains("(\(tag))") }.compactMap {
        $0.split(separator: "[").last?.split(separator: "]").first
      }
      .map(String.init)
    }
    #expect(image.needed == bracketed("NEEDED"), "\(path)")
    #expect([image.soname].compactMap { $0 } == bracketed("SONAME"), "\(path)")
    #expect([image.searchPath].compactMap { $0 } == bracketed("RUNPATH") + bracketed("RPATH"), "\(path)")
    let builds = lines.compactMap { $0.components(separatedBy: "Build ID: ").dropFirst().first }
    #expect([image.buildID].compactMap { $0.map(Hexadecimal.encode) } == builds, "\(path)")
    #expect(image.dynamic.entries.count == lines.count { $0.hasPrefix(" 0x") } - 1, "\(path)")
    // TYPE OFFSET ADDRESS ADDRESS SIZE SIZE FLAGS… ALIGNMENT
    let loads = lines.map { $0.split(separator: " ").map(String.init) }.filter { $0.first == "LOAD" }
    #expect(image.memory.loads.count == loads.count, "\(path)")
    for (load, words) in zip(image.memory.loads, loads) {
      let flags = words[6..<words.count - 1].joined()
      #expect(number(words[1]) == UInt64(load.offset) && number(words[2]) == load.address, "\(path)")
      #expect(number(words[4]) == UInt64(load.fileSize) && number(words[5]) == load.memorySize, "\(path)")
      #expect(flags.contains("W") == load.isWritable && flags.contains("E") == load.isExecutable, "\(path)")
    }
    let stack = lines.first { $0.contains("GNU_STACK") }?.contains(" RW ") ?? false
    #expect(stack != image.faults().contains { $0.code == .elfExecutableStack }, "\(path)")
    try compareSymbols(image, path)
  }

  private func compareSymbols(_ image: ELFImage, _ path: String) throws {
    // NUMBER: VALUE SIZE TYPE BINDING VISIBILITY SECTION NAME@VERSION
    let rows = try readelf(["--dyn-syms", "-W"], path).map { $0.split(separator: " ").map(String.init) }
      .filter { $0.count >= 7 && $0[0].hasSuffix(":") && Int($0[0].dropLast()) != nil }
    #expect(rows.count == image.symbols.endIndex, "\(path)")
    for (symbol, row) in zip(image.symbols, rows.dropFirst()) {
      let name = row.count < 8 ? nil : row[7].split(separator: "@").first.map(String.init)
      let same: [Bool] = [
        row.count < 8 ? symbol.nameBytes.isEmpty : name == symbol.name,
        UInt64(row[1], radix: 16) == symbol.value,
        (row[6] == "UND") != symbol.isDefined,
        (row[4] == "WEAK") == (symbol.binding == .weak),
        (row[4] == "UNIQUE") == (symbol.binding == .unique),
        (row[3] == "FUNC") == (symbol.kind == .function),
        (row[3] == "IFUNC") == (symbol.kind == .indirectFunction),
      ]
      let isSame = !same.contains(false)
      #expect(isSame, "\(path): \(row)")
      if !isSame { break }
    }
  }

  private func readelf(_ arguments: [String], _ path: String) throws -> [String] {
    let program = try #require(Program.find("readelf"))
    let result = try Program.run(program, arguments + [path], environment: ["LC_ALL": "C"])
    #expect(result.status == 0, "\(result.errors)")
    return result.output.split(separator: "\n").map(String.init)
  }

  private func number(_ text: String) -> UInt64? { UInt64(text.dropFirst(2), radix: 16) }
}
