import SignetBase
import TestSupport
import Testing

@Suite struct ShellWordTests {
  @Test(
    "a name in a suggested command is one word of the shell, whatever is in it",
    arguments: [
      "plain/name-1.2_3", "a b", "it's", "'", "it'\u{301}s; touch owned", "'\u{301}; touch owned; '\u{301}", "-rf",
      "$(touch owned)", "`touch owned`", "a\nb", "\u{301}'", "",
    ])
  func word(_ name: String) throws {
    let folder = try TemporaryFolder()
    let run = try Program.run("/bin/sh", ["-c", "printf %s " + name.shellWord], in: folder.path)
    #expect(run.status == 0)
    #expect(Array(run.output.utf8) == Array((name.utf8.first == UInt8(ascii: "-") ? "./" + name : name).utf8))
    #expect(try folder.listing() == [])
  }
}
