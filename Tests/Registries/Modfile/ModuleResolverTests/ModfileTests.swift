import Foundation
import ModuleResolver
import Signet
import SignetBase
import TestSupport
import Testing

@Suite struct ModfileTests {
  @Test("lines of modules are removed in all targets, with all their lines, and nothing else changes")
  func remove() throws {
    let text = """
      source 'main', 'https://modules.example.com', modules: 'com.**'
      # first
      module 'com.a.one',
        '>= 1.2',
        '< 2' # end
      target 'shop' do
        module 'com.a.one', '~> 1.3'
        module 'com.a.two'
      end
      module 'com.a.three'
      """
    let bytes = Array(text.utf8)
    let modfile = try Modfile(bytes)
    #expect(modfile.requests.map(\.lines) == [3...5, 10...10, 7...7, 8...8])
    let (one, three) = try (#require(ModuleIdentifier("com.a.one")), #require(ModuleIdentifier("com.a.three")))
    #expect(
      String(decoding: try modfile.text(bytes, without: [one, three]), as: UTF8.self) == """
        source 'main', 'https://modules.example.com', modules: 'com.**'
        # first
        target 'shop' do
          module 'com.a.two'
        end

        """)
    #expect(try modfile.text(bytes, without: []) == bytes)
    let other = try #require(ModuleIdentifier("com.a.four"))
    expectError(.modfileNoModule) { _ = try modfile.text(bytes, without: [one, other]) }
  }

  private static let source = "source 'main', 'https://modules.example.com', modules: 'com.**'\n"

  @Test("sources, modules, targets and overrides are read, and written in one way")
  func whole() throws {
    let commit = String(repeating: "0123456789abcdef", count: 4)
    let text = """
      host '1.4.0-rc.1+b'  # its version
      # A host's modules — visible text of any language may stand in comments.
      module 'com.example.player','~> 1.0.1'   # before its source
      target 'shop' do
      \tmodule 'com.example.cart', '>= 1.2',
        '< 2', '<= 1.9.0-rc.1'
        module 'org.tools.viewer', path: '../my viewer/ü'
      end
      source 'example', 'https://modules.example.com/registry', modules: 'com.example.**'
      source 'tools', 'http://tools.example.org:8080', modules: [
        'org.tools.*',  # one label
        'org.tools.viewer.**',
      ]
      target 'shop.2' do
      end
      module 'com.other', git: 'https://git.example.com/other', commit: '\(commit)'
      """
    let file = try Modfile(Array(text.utf8))
    #expect(
      file.text == """
        host '1.4.0-rc.1+b'

        source 'example', 'https://modules.example.com/registry', modules: 'com.example.**'
        source 'tools', 'http://tools.example.org:8080', modules: ['org.tools.*', 'org.tools.viewer.**']

        module 'com.example.player', '~> 1.0.1'
        module 'com.other', git: 'https://git.example.com/other', commit: '\(commit)'

        target 'shop' do
          module 'com.example.cart', '>= 1.2', '< 2', '<= 1.9.0-rc.1'
          module 'org.tools.viewer', path: '../my viewer/ü'
        end

        target 'shop.2' do
        end

        """)
    #expect(try Modfile(Array(file.text.utf8)).text == file.text)
    #expect(file.requests.map(\.line) == [3, 16, 5, 7])
    #expect(file.requests.map(\.versions.asksForPrereleases) == [false, false, true, false])
    #expect(
      file.override(of: try identifier("com.other"))?.description
        == "commit \(commit) of https://git.example.com/other")
    #expect(try Modfile([]).requests.isEmpty)
  }

  @Test(
    "a comparator may have no space behind its sign",
    arguments: ["~>1.0", ">=1.2", "<=1.2", ">1.2", "<1.2", "=1.2.3"])
  func comparators(_ text: String) throws {
    let file = try Modfile(
      Array("source 'm', 'https://m.example.com', modules: 'com.**'\nmodule 'com.a', '\(text)'\n".utf8))
    let version = try #require(SemanticVersion("9.0.0"))
    #expect(file.requests.map(\.versions.comparators) == [[text]])
    #expect(file.requests.map { $0.versions.contains(version) } == [text.hasPrefix(">")])
  }

  @Test("the example of docs/modfile.md is a Modfile")
  func example() throws {
    let blocks = try Repository.text("docs/modfile.md").components(separatedBy: "```\n")
    // The commands of the first block are no Modfile.
    let block = try #require(blocks.first { $0.hasPrefix("source 'example'") })
    let file = try Modfile(Array(block.utf8))
    #expect(
      file.requests.map { "\($0.identifier)" } == [
        "com.example.player", "com.example.cart", "org.tools.viewer", "com.example.codec",
      ])
    #expect(file.source(of: try identifier("org.tools.viewer.x"))?.name.description == "tools")
  }

  @Test(
    "what a Modfile cannot have is refused with its code and place",
    arguments: [
      // Characters and encoding.
      ("module 'com.a'\r\n", "modfile.character", "1:15"), ("module 'com.a\0'\n", "modfile.character", "1:14"),
      ("# \u{202e}x\n", "modfile.character", "1:3"), ("# a\n# \u{200b}\n", "modfile.character", "2:3"),
      ("module 'com.a\u{2066}'\n", "modfile.character", "1:14"), ("\u{1b}[2J\n", "modfile.character", "1:1"),
      ("\u{feff}module 'com.a'\n", "modfile.encoding", "1:1"), ("module\u{a0}'com.a'\n", "modfile.character", "1:7"),
      ("module 'com\ta'\n", "modfile.name", "1:8"),
      // Combining marks behind delimiters, which Swift takes for one character with them.
      ("module 'com.a'\u{301}\n", "modfile.syntax", "1:15"), ("module '\u{301}com.a'\n", "modfile.name", "1:8"),
      ("module 'com.a',\u{301}'1.0'\n", "modfile.syntax", "1:16"),
      ("module 'com.a'#\u{301}\n\u{301}", "modfile.syntax", "2:1"),
      ("source 'a', 'https://a', modules: [\u{301}'b']\n", "modfile.syntax", "1:36"),
      ("module 'com.a', '~> 1.0\u{301}'\n", "modfile.range", "1:17"),
      ("module\u{301} 'com.a'\n", "modfile.syntax", "1:7"),
      // Grammar.
      ("pod 'com.a'\n", "modfile.unknown-word", "1:1"), ("system 'rm'\n", "modfile.unknown-word", "1:1"),
      ("module\n", "modfile.syntax", "1:7"), ("module com\n", "modfile.syntax", "1:8"),
      ("module \"com.a\"\n", "modfile.syntax", "1:8"), ("module 'com.a\n", "modfile.syntax", "1:8"),
      ("module 'com.a' '1.0'\n", "modfile.syntax", "1:16"), ("module 'com.a',\n\n\n", "modfile.syntax", "4:1"),
      ("module 'com.a', tag: 'x'\n", "modfile.unknown-word", "1:17"),
      ("module 'com.a' end\n", "modfile.syntax", "1:16"),
      ("module 'com.a', git: 'https://a', branch: 'b'\n", "modfile.unknown-word", "1:35"),
      ("module 'com.a', git: 'https://a'\n", "modfile.syntax", "1:33"), ("'com.a'\n", "modfile.syntax", "1:1"),
      ("source 'a'\n", "modfile.syntax", "1:11"), ("source 'a', 'https://a'\n", "modfile.syntax", "1:24"),
      ("source 'a', 'https://a', scope: 'b.c'\n", "modfile.unknown-word", "1:26"),
      ("source 'a', 'https://a', modules: []\n", "modfile.syntax", "1:36"),
      ("source 'a', 'https://a', modules: ['b.c'\n", "modfile.syntax", "2:1"),
      ("source 'a', 'https://a', modules: ['b.c' 'd.e']\n", "modfile.syntax", "1:42"),
      ("target 'a'\n", "modfile.syntax", "1:11"), ("target 'a' { }\n", "modfile.syntax", "1:12"),
      ("@a\n", "modfile.syntax", "1:1"), ("module 'com.a'; module 'com.b'\n", "modfile.syntax", "1:15"),
      // Nesting.
      ("end\n", "modfile.nesting", "1:1"), ("target 'a' do\n", "modfile.nesting", "1:1"),
      ("target 'a' do\ntarget 'b' do\nend\nend\n", "modfile.nesting", "2:1"),
      ("target 'a' do\nsource 'b', 'https://b', modules: 'b.c'\nend\n", "modfile.nesting", "2:1"),
      // Names.
      ("module 'Com.a'\n", "modfile.name", "1:8"), ("module 'player'\n", "modfile.name", "1:8"),
      ("module ''\n", "modfile.name", "1:8"), ("source 'a b', 'https://a', modules: 'b.c'\n", "modfile.name", "1:8"),
      ("source '', 'https://a', modules: 'b.c'\n", "modfile.name", "1:8"),
      ("target '-a' do\nend\n", "modfile.name", "1:8"),
      ("target 'ü' do\nend\n", "modfile.name", "1:8"),
      // Values.
      ("source 'a', 'ftp://a', modules: 'b.c'\n", "modfile.url", "1:13"),
      ("source 'a', specs: 'ssh://a/b'\n", "modfile.url", "1:20"),
      ("source 'a', specs: 'oci://a/b'\n", "modfile.url", "1:20"),
      ("source 'a', specs: 'https://u:p@a'\n", "modfile.url", "1:20"),
      ("source 'a', specs:\n", "modfile.syntax", "1:19"), ("source 'a', 'https://a'\n", "modfile.syntax", "1:24"),
      ("source 'a', specs: 'https://a', commit: 'b'\n", "modfile.unknown-word", "1:33"),
      ("source 'a', specs: 'https://a'\nsource 'b', specs: 'https://b'\n", "modfile.scope-overlap", "2:1"),
      ("source 'a', 'https://u:p@a', modules: 'b.c'\n", "modfile.url", "1:13"),
      ("source 'a', 'https://a?token=b', modules: 'b.c'\n", "modfile.url", "1:13"),
      ("source 'a', 'https://a#b', modules: 'b.c'\n", "modfile.url", "1:13"),
      ("source 'a', 'https://ä', modules: 'b.c'\n", "modfile.url", "1:13"),
      ("source 'a', 'https://a', modules: 'b.*c'\n", "modfile.pattern", "1:35"),
      ("source 'a', 'https://a', modules: ['b.c', '**.d']\n", "modfile.pattern", "1:43"),
      ("module 'com.a', '~>  1.0'\n", "modfile.range", "1:17"),
      ("module 'com.a', '!= 1.0'\n", "modfile.range", "1:17"),
      ("module 'com.a', '> 1.0 < 2'\n", "modfile.range", "1:17"),
      ("module 'com.a', '1.0.0.0'\n", "modfile.range", "1:17"),
      ("module 'com.a', '= 1.0.0+b'\n", "modfile.range", "1:17"),
      ("module 'com.a', '~> 1.0-beta'\n", "modfile.range", "1:17"),
      ("module 'com.a', '01.0'\n", "modfile.range", "1:17"), ("module 'com.a', ''\n", "modfile.range", "1:17"),
      ("module 'com.a', '~> 18446744073709551615'\n", "modfile.range", "1:17"),
      ("module 'com.a', '> 2', '< 1'\n", "modfile.range", "1:17"),
      ("module 'com.a', '1', '1', '1', '1', '1'\n", "modfile.count", "1:37"),
      ("module 'com.a', '1.0', path: 'a'\n", "modfile.override", "1:24"),
      ("module 'com.a', path: '/a'\n", "modfile.path", "1:23"),
      ("module 'com.a', path: ''\n", "modfile.path", "1:23"),
      ("module 'com.a', path: 'a/../b'\n", "modfile.path", "1:23"),
      ("module 'com.a', path: 'a//b'\n", "modfile.path", "1:23"),
      ("module 'com.a', path: './a'\n", "modfile.path", "1:23"),
      ("module 'com.a', path: ' a'\n", "modfile.path", "1:23"),
      ("module 'com.a', path: 'a', '1.0'\n", "modfile.syntax", "1:26"),
      ("module 'com.a', git: 'git@a:b', commit: '\(String(repeating: "0", count: 40))'\n", "modfile.url", "1:22"),
      ("module 'com.a', git: 'https://a', commit: '0123abc'\n", "modfile.commit", "1:43"),
      ("module 'com.a', git: 'https://a', commit: 'main'\n", "modfile.commit", "1:43"),
      (
        "module 'com.a', git: 'https://a', commit: '\(String(repeating: "A", count: 40))'\n", "modfile.commit", "1:43"
      ),
      ("host '1.4'\n", "modfile.host", "1:6"), ("host ''\n", "modfile.host", "1:6"),
      ("host\n", "modfile.syntax", "1:5"),
      ("host '1.4.0', '2.0.0'\n", "modfile.syntax", "1:13"), ("host '~> 1.4.0'\n", "modfile.host", "1:6"),
      ("host '1.4.0'\nhost '1.4.0'\n", "modfile.duplicate", "2:1"),
      ("target 'a' do\nhost '1.4.0'\nend\n", "modfile.nesting", "2:1"),
      // Duplicates.
      ("module 'com.a'\nmodule 'com.a'\n", "modfile.duplicate", "2:1"),
      ("target 'a' do\nmodule 'com.a'\nmodule 'com.a', '1.0'\nend\n", "modfile.duplicate", "3:1"),
      ("target 'a' do\nend\ntarget 'a' do\nend\n", "modfile.duplicate", "3:1"),
      (
        "source 'a', 'https://a', modules: 'b.c'\nsource 'a', 'https://b', modules: 'c.d'\n", "modfile.duplicate",
        "2:1"
      ),
      ("module 'com.a', path: 'a'\ntarget 'b' do\nmodule 'com.a', path: 'a'\nend\n", "modfile.duplicate", "3:1"),
      // Sources of modules.
      ("module 'com.a'\n", "modfile.no-source", "1:1"),
      ("\(source)module 'com.a'\ntarget 'b' do\n module 'org.b'\nend\n", "modfile.no-source", "4:2"),
      ("\(source)source 'b', 'https://b', modules: 'com.**'\n", "modfile.scope-overlap", "2:1"),
    ] as [(String, String, String)])
  func refused(text: String, code: String, place: String) {
    let error = expectError(SignetError.Code(code), "\(text)") { _ = try Modfile(Array(text.utf8)) }
    #expect(error?.object == "Modfile:\(place)", "\(text)")
    #expect(error?.expected != nil || error?.hint != nil)
    // No secret and no hidden character is printed.
    #expect(error.map { !"\($0)".contains("token=b") && !"\($0)".contains("u:p") } == true)
    #expect(error.map { "\($0)".unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{202e}" } } == true)
  }

  @Test("what is beyond a bound is refused")
  func bounds() {
    let large = [UInt8](repeating: UInt8(ascii: "\n"), count: Modfile.sizeLimit + 1)
    expectError(.modfileSize) { _ = try Modfile(large) }
    #expect(throws: Never.self) { _ = try Modfile(Array(large.dropLast())) }
    let bad = expectError(.modfileEncoding) { _ = try Modfile(Array("#\n# ".utf8) + [0xff]) }
    #expect(bad?.object == "Modfile:2")
    expectError(.modfileLength) { _ = try Modfile(Array("module '\(String(repeating: "a", count: 8193))'".utf8)) }
    expectError(.modfileLength) { _ = try Modfile(Array("\(String(repeating: "a", count: 65))".utf8)) }
    func text(_ count: Int, _ line: (Int) -> String) -> [UInt8] { Array((0..<count).map(line).joined().utf8) }
    expectError(.modfileCount) {
      _ = try Modfile(text(65) { "source 's\($0)', 'https://a', modules: 'com.m\($0)'\n" })
    }
    expectError(.modfileCount) { _ = try Modfile(text(65) { "target 't\($0)' do\nend\n" }) }
    expectError(.modfileCount) {
      _ = try Modfile(
        Array("source 's', 'https://a', modules: [".utf8) + text(1025) { "'com.m\($0)',\n" } + Array("]\n".utf8))
    }
    expectError(.modfileCount) { _ = try Modfile(Array(Self.source.utf8) + text(10_001) { "module 'com.m\($0)'\n" }) }
    // Nesting is refused at its first step, however deep it is.
    expectError(.modfileNesting) { _ = try Modfile(text(50_000) { "target 't\($0)' do\n" }) }
    expectError(.modfileSyntax) { _ = try Modfile(Array(String(repeating: "[", count: 500_000).utf8)) }
  }

  @Test(
    "patterns of two sources may overlap only if one is more specific, and then that one serves the module",
    arguments: [
      ("com.**", "com.example.**", true), ("com.example.*", "com.example.player", true), ("**", "com.*", true),
      ("com.example.**", "com.example.*", true), ("com.example.*", "com.example.*", false),
      ("com.*.player", "com.example.*", false), ("com.*.**", "com.example.**", true), ("com.*.a", "com.b.**", false),
      ("com.a", "com.b", true), ("com.*", "com.a.*", true), ("com.a.**", "com.a", true), ("*.a", "com.**", false),
      ("com.example.player", "com.example.player", false), ("com.**", "com.*", true),
    ])
  func overlaps(first: String, second: String, isFine: Bool) throws {
    for (one, two) in [(first, second), (second, first)] {
      let text = "source 'one', 'https://a', modules: '\(one)'\nsource 'two', 'https://b', modules: '\(two)'\n"
      guard isFine else {
        expectError(.modfileScopeOverlap) { _ = try Modfile(Array(text.utf8)) }
        continue
      }
      let file = try Modfile(Array(text.utf8))
      // A module of the more specific pattern, which here is the second one.
      let module = try identifier(second.replacing("**", with: "x.y").replacing("*", with: "x"))
      let isSecond = one == first
      #expect(file.source(of: module)?.name.description == (isSecond ? "two" : "one"))
    }
  }

  @Test("of three nested patterns the innermost one counts, in whatever order they stand")
  func nestedPatterns() throws {
    let lines = [
      "source 'a', 'https://a', modules: ['com.example.player', 'com.**']\n",
      "source 'b', 'https://b', modules: 'com.example.**'\n",
    ]
    for text in [lines.joined(), lines.reversed().joined()] {
      let file = try Modfile(Array(text.utf8))
      #expect(file.source(of: try identifier("com.example.player"))?.name.description == "a")
      #expect(file.source(of: try identifier("com.example.cart"))?.name.description == "b")
      #expect(file.source(of: try identifier("com.other"))?.name.description == "a")
      #expect(file.source(of: try identifier("org.other")) == nil)
    }
  }
}
