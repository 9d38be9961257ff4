import Signet
import SignetCrypto
import TestSupport
import Testing

@testable import ModuleFetch
@testable import ModuleStore
@testable import PluginHost

@Suite("notes of what is fetched") struct DownloadNoteTests {
  private static func note(tag: String) -> String {
    #"""
    {"begun": "2027-01-15T08:00:00Z", "item": {"identifier": "com.example.a", "url": "http://a/", "version": "1.0.0"},
     "source": {"length": 3, "tag": \#(tag)}}
    """#
  }

  @Test("a note is read as it was written")
  func whole() throws {
    let note = try DownloadNote(Array(Self.note(tag: #""\"v1\"""#).utf8))
    #expect(note.source?.tag == "\"v1\"")
    #expect(note.source?.length == 3)
    #expect(try DownloadNote(note.text()) == note)
  }

  @Test(
    "a note whose tag could not stand in a request is none",
    arguments: [
      #""""#, #""v1""#, #""\"v1""#, #""W/\"v1\"""#, #""\"v\r\nHost: b\"""#, #""\"a\"b\"""#, #""\"a b\"""#,
      #""\"ü\"""#, "1",
      "\"\\\"\(String(repeating: "a", count: 255))\\\"\"",
    ])
  func hostile(_ tag: String) {
    expectError(.jsonWrongValue) { _ = try DownloadNote(Array(Self.note(tag: tag).utf8)) }
  }
}
