import Signet
import SignetBase
import TestSupport
import Testing

@testable import ModuleSpec

@Suite struct ModuleSpecTests {
  @Test("there are texts of both kinds")
  func bothKinds() {
    #expect(SpecForm.all.count { $0.verdict == "sound" } >= 8)
    #expect(SpecForm.all.count { $0.verdict == "spec.malformed" } > 200)
    #expect(SpecForm.all.count { $0.verdict == "spec.unknown-field" } >= 10)
  }

  @Test(
    "each text is read or refused with its code, and what is read has one canonical text", arguments: SpecForm.all)
  func verdict(_ form: SpecForm) throws {
    guard form.verdict != "sound" else {
      let spec = try ModuleSpec(json: Array(form.text.utf8))
      let text = spec.canonicalBytes()
      #expect(try CanonicalJSON.read(text, limits: .moduleDescription).kind == "an object")
      let again = try ModuleSpec(json: text)
      #expect(again == spec && again.canonicalBytes() == text)
      return
    }
    let error = expectError(SignetError.Code(form.verdict)) { _ = try ModuleSpec(json: Array(form.text.utf8)) }
    #expect(error?.object.hasPrefix("line 1, column ") == true, "\(error?.object ?? "")")
  }

  @Test("the address of a source is not shown when it is refused, because it may have a password")
  func secret() throws {
    let text = #"{"name":"A","version":"1.0.0","source":{"git":"https://a:word@example.com/\u0007"}}"#
    let error = expectError(.specMalformed) { _ = try ModuleSpec(json: Array(text.utf8)) }
    var all = ""
    dump(try #require(error), to: &all)
    #expect(!all.contains("word"))
  }

  @Test("PO4: every field of a spec as CocoaPods' authors write it is read, and written again")
  func everyField() throws {
    let text = """
      {
        "name": "DesignNetwork",
        "version": "0.1.1",
        "summary": "Requests of the design group's applications.",
        "description": "Requests with retries,\\nand one queue for each server.",
        "homepage": "https://example.com/design/network",
        "license": { "type": "MIT", "file": "LICENSE" },
        "authors": [{ "name": "Ada", "email": "ada@example.com" }, { "name": "Grace" }],
        "source": {
          "git": "https://example.com/design/network.git", "tag": "0.1.1",
          "commit": "0123456789abcdef0123456789abcdef01234567"
        },
        "platforms": [{ "name": "ios", "minimum": "8.0" }, { "name": "linux" }],
        "source_files": ["DesignNetwork/Classes/**/*"],
        "module_name": "DesignNetwork",
        "public_header_files": ["DesignNetwork/Classes/Public/*.h"],
        "private_header_files": ["DesignNetwork/Classes/Private/*.h"],
        "exclude_files": ["DesignNetwork/Classes/Old/**"],
        "requires_arc": true,
        "dependencies": [{ "name": "Networking", "versions": ">=2.3.0 <3.0.0" }, { "name": "Logging" }]
      }
      """
    let spec = try ModuleSpec(json: Array(text.utf8))
    #expect(spec.name == "DesignNetwork" && spec.version == SemanticVersion("0.1.1"))
    #expect(spec.summary == "Requests of the design group's applications.")
    #expect(spec.description == "Requests with retries,\nand one queue for each server.")
    #expect(spec.homepage == "https://example.com/design/network")
    #expect(spec.license == ModuleSpec.License(type: "MIT", file: "LICENSE"))
    #expect(
      spec.authors == [
        ModuleSpec.Author(name: "Ada", email: "ada@example.com"), ModuleSpec.Author(name: "Grace", email: nil),
      ])
    #expect(
      spec.source
        == ModuleSpec.Source(
          git: "https://example.com/design/network.git", tag: "0.1.1",
          commit: "0123456789abcdef0123456789abcdef01234567"))
    #expect(
      spec.platforms == [
        ModuleSpec.Platform(name: "ios", minimum: "8.0"), ModuleSpec.Platform(name: "linux", minimum: nil),
      ])
    #expect(spec.moduleName == "DesignNetwork")
    #expect(spec.sourceFiles.map(\.description) == ["DesignNetwork/Classes/**/*"])
    #expect(spec.publicHeaderFiles.map(\.description) == ["DesignNetwork/Classes/Public/*.h"])
    #expect(spec.privateHeaderFiles.map(\.description) == ["DesignNetwork/Classes/Private/*.h"])
    #expect(spec.excludeFiles.map(\.description) == ["DesignNetwork/Classes/Old/**"])
    #expect(
      spec.dependencies == [
        ModuleSpec.Dependency(name: "Networking", versions: ">=2.3.0 <3.0.0"),
        ModuleSpec.Dependency(name: "Logging", versions: nil),
      ])
    #expect(spec.requiresARC == true)
    // The canonical text has exactly what the text above has.
    let value = try JSONReader.read(Array(text.utf8), limits: .moduleDescription)
    #expect(spec.canonicalBytes() == (try CanonicalJSON.write(value)))
  }

  @Test("PO4: a spec with nothing but a name and a version is read")
  func minimal() throws {
    let spec = try ModuleSpec(json: Array(#"{"name":"A","version":"1.0.0"}"#.utf8))
    #expect(spec.name == "A" && "\(spec.version)" == "1.0.0")
    #expect(
      spec.requiresARC == nil && spec.summary == nil && spec.source == nil && spec.license == nil
        && spec.authors.isEmpty)
    #expect(spec.canonicalBytes() == Array(#"{"name":"A","version":"1.0.0"}"#.utf8))
  }

  @Test("PO4: requires_arc is kept as it is written, and is true or false")
  func requiresARC() throws {
    func spec(_ value: String) throws -> ModuleSpec {
      try ModuleSpec(json: Array(#"{"name":"A","requires_arc":\#(value),"version":"1.0.0"}"#.utf8))
    }
    for value in [true, false] {
      #expect(try spec("\(value)").requiresARC == value)
      #expect(
        try spec("\(value)").canonicalBytes()
          == Array(#"{"name":"A","requires_arc":\#(value),"version":"1.0.0"}"#.utf8))
    }
    for value in [#""true""#, "1", "[]", #"["Classes/Arc"]"#] {
      let error = expectError(.specMalformed) { _ = try spec(value) }
      #expect(error?.object.hasSuffix("spec.requires_arc") == true)
    }
  }

  @Test("specs differ if a byte of a text does, and not if their spacing does")
  func equality() throws {
    func spec(_ text: String) throws -> ModuleSpec { try ModuleSpec(json: Array(text.utf8)) }
    let one = try spec(#"{"name":"Ä","version":"1.0.0"}"#)
    #expect(try spec(#"{ "version": "1.0.0", "name": "Ä" }"#) == one)
    #expect(try spec("{\"name\":\"A\u{308}\",\"version\":\"1.0.0\"}") != one)
    #expect(try spec(#"{"name":"Ä","version":"1.0.0+b"}"#) != one)
  }

  @Test("an error gives the line, the column and the field")
  func place() {
    let text = "{\"name\": \"A\",\n \"version\": \"1.0.0\",\n \"authors\": [{\"name\": \"B\"},\n  {\"name\": 7}]}"
    let error = expectError(.specMalformed) { _ = try ModuleSpec(json: Array(text.utf8)) }
    #expect(error?.object == "line 4, column 12, spec.authors[1].name" && error?.found == "a whole number")
    let pattern = "{\"name\":\"A\",\"version\":\"1.0.0\",\n\"source_files\":[\"a\",\n\"../b\"]}"
    let other = expectError(.specMalformed) { _ = try ModuleSpec(json: Array(pattern.utf8)) }
    #expect(other?.object == "line 3, column 1, spec.source_files[1]" && other?.found == "../b")
  }

  @Test("texts and lists have limits")
  func bounds() throws {
    func spec(_ field: String) -> [UInt8] { Array("{\"name\":\"A\",\"version\":\"1.0.0\",\(field)}".utf8) }
    let space = [UInt8](repeating: 0x20, count: ModuleSpec.sizeLimit)
    let small = Array(#"{"name":"A","version":"1.0.0"}"#.utf8)
    #expect(try ModuleSpec(json: small + space.dropFirst(small.count)).name == "A")
    expectError(.specMalformed) { _ = try ModuleSpec(json: small + space.dropFirst(small.count - 1)) }
    func patterns(_ count: Int) -> String { (0..<count).map { "\"f\($0)\"" }.joined(separator: ",") }
    #expect(try ModuleSpec(json: spec("\"source_files\":[\(patterns(100))]")).sourceFiles.count == 100)
    func named(_ count: Int) -> String { (0..<count).map { "{\"name\":\"n\($0)\"}" }.joined(separator: ",") }
    for field in ["source_files", "exclude_files", "public_header_files", "private_header_files"] {
      expectError(.specMalformed, "\(field)") { _ = try ModuleSpec(json: spec("\"\(field)\":[\(patterns(101))]")) }
    }
    for field in ["authors", "platforms", "dependencies"] {
      #expect(throws: Never.self) { try ModuleSpec(json: spec("\"\(field)\":[\(named(200))]")) }
      expectError(.specMalformed, "\(field)") { _ = try ModuleSpec(json: spec("\"\(field)\":[\(named(201))]")) }
    }
    let prose = String(repeating: "d", count: 65_536)
    #expect(throws: Never.self) { try ModuleSpec(json: spec("\"description\":\"\(prose)\"")) }
    expectError(.specMalformed) { _ = try ModuleSpec(json: spec("\"description\":\"\(prose)d\"")) }
  }

  @Test(
    "a pattern is for the files that it says",
    arguments: [
      ("a.c", ["a.c"], ["b.c", "x/a.c", "A.c", "a.cc"]), ("*.c", ["a.c", ".c"], ["x/a.c", "a.h"]),
      ("a/*", ["a/b"], ["a", "a/b/c"]), ("a/**", ["a/b", "a/b/c"], ["b/a", "ab"]),
      ("a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["a/x", "ab", "a/xb"]), ("**/b", ["b", "x/b"], ["b/x"]),
      ("?.c", ["a.c", "ä.c"], ["ab.c", ".c"]), ("x/{a,b}.{c,h}", ["x/a.c", "x/b.h"], ["x/c.c", "x/a", "x/a.m"]),
      ("a{,b}", ["a", "ab"], ["b"]), ("*a*b*", ["ab", "xaxbx"], ["ba", "a/b"]),
      ("**", ["a", "a/b"], ["a//b", "../a"]),
    ] as [(String, [String], [String])])
  func patterns(text: String, fits: [String], others: [String]) throws {
    let pattern = try #require(SourcePattern(text))
    for path in fits { #expect(pattern.covers(path), "\(path)") }
    for path in others { #expect(!pattern.covers(path), "\(path)") }
  }
}
