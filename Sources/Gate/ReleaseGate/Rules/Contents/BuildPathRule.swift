package import SignetBase

/// No binary has the paths of the machine that built it.
package struct BuildPathRule: LiteralRule {
  package static let about = RuleDescription(
    "build-path", "No binary has absolute paths of the machine that built it",
    help: """
      Compilers write the paths of source files into debugging information, assertions and messages of errors. They \
      show the names of people and folders, and make two builds in two folders differ. Build with a map of path \
      prefixes: -ffile-prefix-map for C and C++, -file-prefix-map for Swift, --remap-path-prefix for Rust, -trimpath \
      for Go. Stripping removes those in debugging information.
      """,
    options: [("allow", "beginnings of paths that binaries may have, such as /home/linuxbrew/")], .warning)

  private let allowed: [[UInt8]]

  package init(_ options: inout RuleOptions) throws(SignetError) {
    allowed = try options.texts("allow").map { Array($0.utf8) }
  }

  /// Where people and build servers have their files.
  private static let roots = [
    "/home/", "/Users/", "/root/", "/tmp/", "/builds/", "/build/", "/var/folders/", "/var/lib/jenkins/", "/__w/",
    "/workspace/", "/github/workspace/", #"C:\Users\"#,
  ]

  /// The number of characters of a path that are shown.
  private static let shownLimit = 160

  package var literals: [[UInt8]] { Self.roots.map { Array($0.utf8) } }

  package func reach(of literal: Int) -> ContentMatch.Reach { .usual }

  package func check(
    _ match: ContentMatch, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) -> ContentMatch.Answer {
    guard match.isELF, Self.roots.indices.contains(match.literal),
      let path = Self.path(match, Self.roots[match.literal]), !allowed.contains(where: { path.starts(with: $0) })
    else { return .done }
    let shown = String(decoding: path.prefix(Self.shownLimit), as: UTF8.self)
    findings.noteShared(
      entry: match.entry, place: "offset \(match.offset)", expected: "paths within the source code",
      found: path.count > Self.shownLimit ? shown + "…" : shown,
      hint: "build with a map of path prefixes, such as -ffile-prefix-map"
    ) { count in
      count == 1
        ? "has an absolute path of the machine that built it"
        : "has \(count) absolute paths of the machine that built it"
    }
    return .done
  }

  /// The path at a match; nil if it is only a part of another text, or a place that every machine has.
  private static func path(_ match: ContentMatch, _ root: String) -> ArraySlice<UInt8>? {
    let root = Array(root.utf8)
    let separator = root[root.count - 1]
    guard match.after.count > root.count, !(match.before.last.map(isInPath) ?? false) else { return nil }
    let rest = match.after.dropFirst(root.count).prefix { $0 == separator || isInName($0) }
    let path = match.after[..<rest.endIndex]
    let names = rest.split(separator: separator)
    // A program's own temporary files have one name below /tmp, those of the window system begin with a dot.
    guard names.count >= 2, rest.first != separator, names[0].first != UInt8(ascii: ".") else {
      return nil
    }
    // Something else follows that a program fills in: it is a pattern, not a path.
    let next = match.after.dropFirst(path.count).first
    guard next != UInt8(ascii: "%"), next != UInt8(ascii: "$"), next != UInt8(ascii: "{"), next != UInt8(ascii: "*"),
      !names.contains(where: { $0.suffix(6).elementsEqual("XXXXXX".utf8) })
    else { return nil }
    return path
  }

  private static func isInName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "._-+@~#".utf8.contains(byte)
    }
  }

  /// Whether a text that begins after this byte is the rest of a longer path.
  private static func isInPath(_ byte: UInt8) -> Bool {
    isInName(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") || byte >= 0x80
  }
}
