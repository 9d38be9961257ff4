import Foundation
import TestSupport
import Testing

@testable import ReleaseGate

/// Static libraries, and what is in a ZIP besides its entries.
@Suite struct LibraryContentsTests {
  @Test("a static library is ordinary, whatever has made it, and a key in any part of it is found")
  func libraries() throws {
    let compile = "printf 'int f(void) { return 1; }' > f.c; cc -c f.c; cp f.o a_name_of_more_than_16_bytes.o;"
    for (commands, places) in [
      (compile + "ar rcs o f.o a_name_of_more_than_16_bytes.o", []), ("ar rc o", []),
      (compile + "cp key k; ar rcs o f.o k", ["k"]),
      (compile + "mkdir a; cp key a/k; cp key k; ar rcsP o f.o a/k k", ["a/k", "k"]),
    ] as [(String, [String])] {
      let findings = try WalkedFile.findings(try WalkedFile.made(commands, "o"))
      #expect(!findings.contains { $0.hasPrefix("archive | ") || $0.hasPrefix("unsearched") }, "\(findings)")
      #expect(findings.filter { $0.hasPrefix("private-key") }.map { $0.components(separatedBy: " | ")[1] } == places)
    }
    // As Microsoft's linker writes them: two tables of symbols, names that end with NUL, members of one name.
    func member(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
      func field(_ text: String, _ width: Int) -> String {
        text.padding(toLength: width, withPad: " ", startingAt: 0)
      }
      let header =
        field(name, 16) + field("-1", 12) + field("", 12) + field("100666", 8) + field("\(bytes.count)", 10)
      return Array(header.utf8) + Array("`\n".utf8) + bytes + (bytes.count % 2 == 0 ? [] : [0x0a])
    }
    let names = Array(#"..\..\build\numpy\core\an_object.obj"#.utf8) + [0]
    let first = 8 + 60 + 10 + 60 + 24 + 60 + names.count + names.count % 2
    func big(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
    func little(_ value: Int) -> [UInt8] { big(value).reversed() }
    let library =
      Array("!<arch>\n".utf8) + member("/", big(1) + big(first) + [0x66, 0])
      + member("/", little(2) + little(first) + little(0) + little(1) + [1, 0, 0x66, 0, 0, 0, 0, 0])
      + member("//", names)
      + member("/0", Array("object".utf8)) + member("numpy.dll/", WalkedFile.key) + member("numpy.dll/", [1])
    let findings = try WalkedFile.findings(library)
    #expect(findings.filter { !$0.hasPrefix("archive-form") }.map { $0.prefix(23) } == ["private-key | numpy.dll"])
    // A key where only a linker looks.
    let hidden = Array("!<arch>\n".utf8) + member("//", WalkedFile.key)
    #expect(try WalkedFile.places(of: hidden) == ["//"])
  }

  @Test("a library may be filled up with zeros, and say where its objects were")
  func ordinary() throws {
    let library = try WalkedFile.made("cp key a; ar rc o a", "o")
    for count in [1, 59, 60, 4096] {
      let findings = try WalkedFile.findings(library + [UInt8](repeating: 0, count: count))
      #expect(!findings.contains { $0.hasPrefix("archive | ") || $0.hasPrefix("unsearched") }, "\(findings)")
    }
    for name in ["/usr/obj/a.o", #"\obj\a.obj"#, "../a.o", #"C:\a\b.obj"#, "obj/../a.o"] {
      let names = Array(name.utf8) + Array("/\n".utf8)
      let table = "//" + String(repeating: " ", count: 46) + "\(names.count)"
      let header = "/0" + String(repeating: " ", count: 38) + "100644  1"
      func line(_ text: String) -> [UInt8] { Array(text.padding(toLength: 58, withPad: " ", startingAt: 0).utf8) }
      let bytes =
        Array("!<arch>\n".utf8) + line(table) + Array("`\n".utf8) + names
        + (names.count % 2 == 0 ? [] : [0x0a]) + line(header) + Array("`\n".utf8) + [1]
      #expect(try WalkedFile.findings(bytes).map { $0.prefix(12) } == ["archive-form"], "\(name)")
    }
  }

  @Test("signatures of Android in a ZIP are ordinary, what is between them is searched, and half of them is a danger")
  func android() throws {
    let zip = try WalkedFile.made("python3 -m zipfile -c o key", "o")
    let end = zip.count - 22
    let directory = Int(zip[end + 16]) | Int(zip[end + 17]) << 8
    func little(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    func package(_ pairs: [[UInt8]], padding: Int = 0, size: Int? = nil) -> [UInt8] {
      var value: [UInt8] = []
      for pair in pairs {
        value += little(pair.count + 4, 8)
        value += [0x1a, 0x87, 0x09, 0x71]
        value += pair
      }
      let whole = little(size ?? value.count + 24, 8)
      var bytes = Array(zip[..<directory])
      bytes += [UInt8](repeating: 0, count: padding)
      bytes += whole + value + whole
      bytes += Array("APK Sig Block 42".utf8)
      let moved = little(bytes.count, 4)
      bytes += zip[directory..<end + 16]
      bytes += moved
      return bytes + zip[(end + 20)...]
    }
    for good in [package([[1, 2, 3]]), package([[1], [], WalkedFile.key]), package([[1]], padding: 9000)] {
      let findings = try WalkedFile.findings(good, "app.apk").filter { !$0.hasPrefix("archive-form") }
      let places = findings.map { $0.components(separatedBy: " | ")[1] }
      #expect(places == (good.count > zip.count + 100 && good.count < 2000 ? ["key", "APK Signing Block"] : ["key"]))
    }
    for bad in [package([[1]], size: 30), package([[1]], padding: 65536), package([Array("x".utf8)], size: 36)] {
      let findings = try WalkedFile.findings(bad, "app.apk")
      #expect(findings.contains { $0.contains("archive | - | - | signature.malformed") }, "\(findings)")
    }
  }
}
