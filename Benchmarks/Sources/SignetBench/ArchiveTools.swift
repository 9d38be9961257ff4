/// The programs for archives and digests that modules and releases are compared with, as far as they are there.
struct ArchiveTools {
  let hasBsdtar: Bool
  let hasUnzip: Bool
  let hasZip: Bool
  let hasJarsigner: Bool
  let hasFSVerity: Bool

  static func present() -> ArchiveTools {
    ArchiveTools(
      hasBsdtar: runs("bsdtar", "--version"), hasUnzip: runs("unzip", "-v"), hasZip: runs("zip", "-v"),
      // macOS has programs of Java's names that only say where to get Java.
      hasJarsigner: runs("jarsigner", "-help") && runs("keytool", "-help") && runs("java", "-version"),
      hasFSVerity: runs("fsverity", "--version"))
  }

  private static func runs(_ program: String, _ argument: String) -> Bool {
    (try? ChildProcess.run(Command(program, argument))) != nil
  }

  /// A line for each that is missing.
  var notes: [String] {
    [
      ("bsdtar", hasBsdtar), ("unzip", hasUnzip), ("zip", hasZip), ("jarsigner", hasJarsigner),
      ("fsverity", hasFSVerity),
    ]
    .filter { !$0.1 }.map { "\($0.0) is not there, and is left out" }
  }
}
