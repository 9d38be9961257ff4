import SignetCrypto
import TestSupport
import Testing

@testable import SignetArchive

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
