import PluginKit
import SmallWebFace
import TestSupport
import Testing

/// What pages say about the navigation bar.
@Suite("Bar items of pages") struct SMBarItemTests {
  @Test("SM33: a content has fields between commas, each with a name before its first =; without one it is the title")
  func fields() {
    #expect(
      SMBarItemParser.fields("type=share,onclick=rightBar()") == ["type": "share", "onclick": "rightBar()"])
    #expect(
      SMBarItemParser.items(["right-bar-item": "type=share,onclick=rightBar()"])
        == [BarItem(.right, kind: "action", action: "rightBar()")])
    #expect(SMBarItemParser.items(["center-bar-item": "Hi"]) == [BarItem(.center, title: "Hi")])
    #expect(
      SMBarItemParser.items(["left-bar-item": "Back,onclick=go(a=1)"])
        == [BarItem(.left, title: "Back", action: "go(a=1)")])
    #expect(
      SMBarItemParser.items(["right-bar-item": "type=add", "left-bar-item": "type=stop", "center-bar-item": "C"])
        .map(\.place) == [.left, .center, .right])
    // Other elements mean nothing here, nor does a content without a type and a title.
    #expect(
      SMBarItemParser.items(["viewport": "a", "middle-bar-item": "b", "right-bar-item": "onclick=a()", "right": "c"])
        .isEmpty)
    #expect(SMBarItemParser.fields("a=1,a=2, b = 3 ") == ["a": "2", "b": "3"])
  }

  @Test("SM33: there are 23 types; share is drawn as action, and an unknown type as done")
  func types() {
    let types = [
      "done", "cancel", "edit", "save", "add", "compose", "reply", "action", "share", "organize", "bookmarks",
      "search", "refresh", "stop", "camera", "trash", "play", "pause", "rewind", "fastForward", "undo", "redo",
      "pageCurl",
    ]
    #expect(SMBarItemParser.types == types)
    #expect(Set(types).count == 23)
    for type in types {
      let kind = SMBarItemParser.item(.right, "type=\(type)")?.kind
      #expect(kind == (type == "share" ? "action" : type))
    }
    for unknown in ["Share", "fastforward", "x", ""] {
      #expect(SMBarItemParser.item(.left, "type=\(unknown)")?.kind == "done")
    }
  }

  @Test(
    "D39: a comma between quotes does not separate fields, so a script can have one",
    arguments: [
      ("type=share,onclick='share(1, 2)'", ["type": "share", "onclick": "share(1, 2)"]),
      (#"onclick="share(1,2)",type=add"#, ["type": "add", "onclick": "share(1,2)"]),
      ("onclick=go('a,b'),type=add", ["type": "add", "onclick": "go('a,b')"]),
      (#"onclick='say("a,b")'"#, ["onclick": #"say("a,b")"#]),
      (#"onclick='say(\'a,b\')'"#, ["onclick": "say('a,b')"]),
      (#"onclick='a\\',type=add"#, ["onclick": #"a\"#, "type": "add"]),
      ("'Hi, all',onclick=a()", ["title": "Hi, all", "onclick": "a()"]),
      ("'a=b'", ["title": "a=b"]),
      // A quote without an end, or in a word, is a character.
      ("title='open,type=add", ["title": "'open", "type": "add"]),
      ("don't,onclick=can't()", ["title": "don't", "onclick": "can't()"]),
      // The separator is a comma alone.
      ("type=share;onclick=rightBar()", ["type": "share;onclick=rightBar()"]),
      ("", [:]), (",,,", [:]), ("=", ["": ""]), ("''", [:]), ("'", ["title": "'"]),
    ])
  func quotes(_ content: String, _ fields: [String: String]) {
    #expect(SMBarItemParser.fields(content) == fields)
  }

  @Test("a content that is too long has no fields, and hostile ones take time in proportion to their length")
  func long() {
    #expect(SMBarItemParser.fields(String(repeating: "a", count: 4097)).isEmpty)
    #expect(SMBarItemParser.fields(String(repeating: "a", count: 4096)).count == 1)
    for unit in ["'", "\"", "'\\", "='", ",'", "'\""] {
      _ = SMBarItemParser.fields(String(repeating: unit, count: 4096 / unit.utf8.count))
    }
  }

  @Test("D39: random contents have the fields that the rules give one by one", .seeded)
  func model() {
    var random = SeededRandom()
    for _ in 0..<20_000 {
      let content = String(
        (0..<Int.random(in: 0...14, using: &random)).map { _ in "a,='\"\\ ".randomElement(using: &random)! })
      #expect(SMBarItemParser.fields(content) == Self.fields(content), "\(content)")
    }
  }

  /// The same rules, read one by one: a comma counts unless a quote before it is open.
  private static func fields(_ content: String) -> [String: String] {
    let all = Array(content)
    func end(_ start: Int, _ all: [Character]) -> Int? {
      var isEscaped = false
      for place in all.indices where place > start {
        if isEscaped {
          isEscaped = false
        } else if all[place] == "\\" {
          isEscaped = true
        } else if all[place] == all[start] {
          return place
        }
      }
      return nil
    }
    var pieces: [[Character]] = [[]]
    var open: Int?
    for place in all.indices {
      let character = all[place]
      if let closing = open {
        if place == closing { open = nil }
      } else if character == "," {
        pieces.append([])
        continue
      } else if character == "'" || character == "\"" {
        if pieces[pieces.count - 1].isEmpty || all[place - 1] != "a" { open = end(place, all) }
      }
      pieces[pieces.count - 1].append(character)
    }
    var fields: [String: String] = [:]
    for piece in pieces {
      func trim(_ part: some Collection<Character>) -> [Character] {
        Array(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
      }
      func value(_ part: [Character]) -> String {
        guard let first = part.first, first == "'" || first == "\"", end(0, part) == part.count - 1 else {
          return String(part)
        }
        var text = ""
        var isEscaped = false
        for character in part.dropFirst().dropLast() {
          if !isEscaped, character == "\\" {
            isEscaped = true
          } else {
            text.append(character)
            isEscaped = false
          }
        }
        return text
      }
      let trimmed = trim(piece)
      if let mark = piece.firstIndex(of: "="), trimmed.first != "'", trimmed.first != "\"" {
        fields[String(trim(piece[..<mark]))] = value(trim(piece[(mark + 1)...]))
      } else if !value(trimmed).isEmpty {
        fields["title"] = value(trimmed)
      }
    }
    return fields
  }
}
