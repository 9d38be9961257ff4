import SignetBase
@_spi(_Unicode) import Swift
import TestSupport
import Testing

@testable import SignetNames

@Suite struct PathTests {
  @Test(
    "names that Windows reads as something else are refused",
    arguments: [
      ("C:x", SignetError.Code.pathDrive), ("a/b:stream", .pathDrive), ("a.", .pathTrailing), ("a /b", .pathTrailing),
      ("CON", .pathReserved), ("lib/nul.txt", .pathReserved), ("aux .tar.gz", .pathReserved), ("com1", .pathReserved),
      ("Lpt9.so", .pathReserved), ("COM¹", .pathReserved), ("conin$", .pathReserved),
      // The dotless i is an I in upper case.
      ("conın$", .pathReserved), ("a/CON              .txt", .pathReserved),
      ("a?", .pathReserved), ("x/a|b", .pathReserved), ("a\"", .pathReserved), ("a;1", .pathReserved),
      ("a;", .pathReserved),
    ])
  func notPortable(path: String, code: SignetError.Code) {
    expectError(code) { try EntryPath.checkPortable(path) }
  }

  @Test(
    "names that only look like devices are taken",
    arguments: [
      "console", "com", "com10", "lpt", "auxiliary.c", "xcon", ".con", "nul_", "a.b.c", " a", "a;x", "a;1b",
    ])
  func portable(path: String) throws { try EntryPath.checkPortable(path) }
}

@Suite struct PathFoldingTests {
  static func isSame(_ one: String, _ other: String) -> Bool {
    var folding = PathFolding()
    return folding.folded(one) == folding.folded(other)
  }

  @Test("what has the same upper case, lower case or decomposed form as another is the same")
  func everyCharacter() {
    var folding = PathFolding()
    var different: [String] = []
    for value in UInt32(0x20)...0x1ffff {
      guard let scalar = Unicode.Scalar(value), scalar.properties.generalCategory != .unassigned else { continue }
      let key = folding.folded(String(scalar))
      let others = [
        scalar.properties.uppercaseMapping, scalar.properties.lowercaseMapping, scalar.properties.titlecaseMapping,
        String(String.UnicodeScalarView(String(scalar)._nfd)),
      ]
      if others.contains(where: { folding.folded($0) != key }) { different.append(String(value, radix: 16)) }
    }
    #expect(different == [])
  }

  @Test(
    "names that one file system or another takes for one are the same",
    arguments: [
      ("\u{1e9e}.txt", "\u{df}.txt"), ("\u{1e9e}", "SS"), ("\u{130}", "i\u{307}"), ("\u{131}", "I"),
      ("\u{212a}", "k"),
      ("\u{1fb3}", "\u{3b1}\u{3b9}"), ("\u{390}\u{323}", "\u{3aa}\u{323}\u{301}"), ("\u{1c4}", "\u{1c6}"),
      ("\u{915}\u{94d}\u{200d}\u{937}", "\u{915}\u{94d}\u{937}"), ("\u{2764}\u{fe0f}", "\u{2764}"),
      ("\u{10400}", "\u{10428}"), ("D/\u{c9}", "d/\u{e9}"),
    ])
  func same(one: String, other: String) { #expect(Self.isSame(one, other)) }

  @Test(
    "other names are not",
    arguments: [("a", "b"), ("\u{e9}", "e"), ("\u{4e2d}", "\u{4e2e}"), ("a/b", "ab"), ("", "a")])
  func different(one: String, other: String) { #expect(!Self.isSame(one, other)) }

  @Test("what is folded of a directory is the folded path up to its last slash")
  func parents() {
    var folding = PathFolding()
    #expect(folding.folded("\u{c4}/B/c").parent == folding.folded("\u{e4}/b"))
    #expect(folding.folded("\u{c4}/B/c").parent?.parent == folding.folded("\u{e4}"))
    #expect(folding.folded("\u{c4}").parent == nil)
  }
}
