import Testing

@testable import ReleaseGate

@Suite struct BuildPathRuleTests {
  private static func finding(_ offset: Int, _ path: String, _ words: String = "an absolute path") -> String {
    "build-path warning app.zip lib/a.so at offset \(offset): has \(words) of the machine that built it; "
      + "expected paths within the source code; found \(path); "
      + "build with a map of path prefixes, such as -ffile-prefix-map"
  }

  private static func findings(_ texts: [String], _ options: String = "{}") throws -> [String] {
    try ContentCheck(BuildPathRule.self, options).findings(inBinaryWith: texts, entry: "lib/a.so")
  }

  @Test(
    "a path of the machine that built it is found in a binary",
    arguments: [
      "/home/ci/project/main.c", "/Users/me/x/y.swift", "/root/src/a.c", "/builds/group/project/a.c",
      "/build/tool-1.0/a.c",
      "/tmp/build.x1/a.o", "/var/folders/zz/a/T/x.o", "/__w/repo/repo/a.go", "/workspace/app/a.rs",
      "/github/workspace/a/b.c",
      "/var/lib/jenkins/workspace/job/a.c", #"C:\Users\me\a.c"#,
    ])
  func paths(path: String) throws { #expect(try Self.findings([path]) == [Self.finding(64, path)]) }

  @Test("a file has one finding with the number of paths and the first of them")
  func several() throws {
    let paths = (1...12).map { "/home/ci/project/file\($0).c" }
    #expect(try Self.findings(paths) == [Self.finding(64, paths[0], "12 absolute paths")])
    let many = (0..<1500).map { _ in "/home/ci/project/file.c" }
    #expect(try Self.findings(many) == [Self.finding(64, many[0], "1500 absolute paths")])
  }

  @Test("what stands before a path decides whether it is one")
  func before() throws {
    for text in ["-I=/home/ci/project/x.c", "in /home/ci/project/x.c", "\"/home/ci/project/x.c"] {
      #expect(try Self.findings([text]).count == 1, "\(text)")
    }
    for text in ["x/home/ci/project/x.c", "https://example.org/home/ci/project", "/srv/home/ci/x.c", "é/home/ci/x.c"]
    {
      #expect(try Self.findings([text]) == [], "\(text)")
    }
  }

  @Test(
    "patterns and places that every machine has are none",
    arguments: [
      "/home/", "/home/ci", "/home/ci/", "/home//x/y", "/tmp/.X11-unix/X0", "/tmp/tool-XXXXXX", "/tmp/tool/a.XXXXXX",
      "/tmp/a/%s",
      "/home/%s/.config", "/home/$USER/x", "/home/{user}/x", "/tmp/a/*", "/root/", "/workspace/", "/Home/ci/x",
      "/home\u{0}/ci/x",
    ])
  func patterns(text: String) throws { #expect(try Self.findings([text]) == []) }

  @Test("paths in texts are none")
  func texts() throws {
    #expect(try ContentCheck(BuildPathRule.self).findings(in: "see /home/ci/project/main.c") == [])
  }

  @Test("a policy may allow beginnings of paths")
  func allowed() throws {
    let texts = ["/home/linuxbrew/.linuxbrew/lib", "/home/ci/project/x.c"]
    #expect(try Self.findings(texts).count == 1)
    #expect(try Self.findings(texts)[0].contains("2 absolute paths"))
    #expect(
      try Self.findings(texts, #"{"allow": ["/home/linuxbrew/"]}"#) == [Self.finding(95, "/home/ci/project/x.c")])
  }

  @Test("a long path is cut")
  func long() throws {
    let path = "/home/ci/" + String(repeating: "directory/", count: 60)
    #expect(try Self.findings([path]) == [Self.finding(64, String(path.prefix(160)) + "…")])
  }
}
