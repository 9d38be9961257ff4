import SignetArchive
import SignetNames
import TestSupport
import Testing

@testable import ReleaseGate

/// Where the dynamic linker looks for libraries, by the spelling in a binary.
struct RunPathTests {
  private static let outside = "looks for libraries in a folder outside of the release"
  private static let current = "looks for libraries in a folder that depends on where it is started"
  private static let beside = "looks for libraries in a folder beside its own"

  static let paths: [(path: String, binary: String, problem: String?)] = [
    ("$ORIGIN", "tool", nil), ("${ORIGIN}", "tool", nil), ("$ORIGIN/", "tool", nil), ("$ORIGIN/lib", "tool", nil),
    ("${ORIGIN}/lib/.", "tool", nil), ("$ORIGIN/lib/..", "tool", nil), ("$ORIGIN/./../lib", "bin/tool", nil),
    ("$ORIGIN/../$LIB", "bin/tool", nil), ("$ORIGIN/../../lib", "usr/bin/tool", nil),
    ("$ORIGIN//..//lib", "bin//tool", nil),
    ("$ORIGIN/..", "tool", outside), ("$ORIGIN/../lib", "tool", outside), ("$ORIGIN/../../lib", "bin/tool", outside),
    ("$ORIGIN/lib/../../lib", "tool", outside), ("$ORIGIN/../../bin", "bin/tool", outside),
    ("/opt/lib", "tool", outside), ("/", "tool", outside), ("/$ORIGIN", "tool", outside),
    ("", "tool", "looks for libraries in the folder where it is started"), ("lib", "tool", current),
    (".", "tool", current), ("./lib", "tool", current), ("$LIB", "tool", current), ("$ORIGI", "tool", current),
    ("{ORIGIN}", "tool", current), ("\\$ORIGIN", "tool", current), ("$ORIGIN2", "tool", beside),
    ("$ORIGIN.d/lib", "tool", beside), ("${ORIGIN}x", "tool", beside),
  ]

  @Test("a package may name its own folders and those of the system's libraries")
  func packages() throws {
    let folders = PackageFolders(of: [
      ArtifactContents.Entry(path: "usr/bin/sudo", content: .file(size: 1), mode: 0o755),
      ArtifactContents.Entry(path: "opt/tool/lib", content: .directory, mode: 0o755),
    ])
    for path in ["/opt/tool/lib", "/opt/tool//lib/", "/opt/tool", "/usr/lib/x/samba", "/usr/libexec/sudo", "/lib64"] {
      #expect(RunPath.problem(of: Array(path.utf8)[...], from: "usr/bin/sudo", in: folders) == nil, "\(path)")
      #expect(RunPath.problem(of: Array(path.utf8)[...], from: "usr/bin/sudo") == Self.outside, "\(path)")
    }
    for path in ["/opt/tool/lib2", "/usr/local/lib", "/tmp", "/", "/usr/lib/../../tmp", "/usr/$LIB", "/home/x/lib"] {
      #expect(RunPath.problem(of: Array(path.utf8)[...], from: "usr/bin/sudo", in: folders) != nil, "\(path)")
    }
  }

  @Test("a path stays within the release, or has a problem", arguments: paths.indices)
  func path(_ index: Int) throws {
    let (path, binary, problem) = Self.paths[index]
    #expect(RunPath.problem(of: Array(path.utf8)[...], from: binary) == problem, "\(path) from \(binary)")
  }

  @Test(
    "each path of a list is judged, and a folder that the policy allows is not",
    .enabled(if: CProgram.compiler != nil, CProgram.isMissing))
  func lists() throws {
    let flags = CProgram.hardened + ["-Wl,--enable-new-dtags", "-Wl,-rpath,$ORIGIN:/opt/a::/opt/b:$ORIGIN/../.."]
    let binary = CheckedBinary(try CProgram.build(CProgram.source, flags))
    func found(_ options: String) throws -> [String?] {
      try binary.findings(of: CheckedBinary.rule(RunPathRule.self, options)).map(\.found)
    }
    #expect(try found("{}") == ["/opt/a", "an empty path", "/opt/b", "$ORIGIN/../.."])
    let empty = CheckedBinary(
      try CProgram.build(CProgram.source, CProgram.hardened + ["-Wl,--enable-new-dtags", "-Wl,-rpath,qqzqq"]))
    var bytes = empty.bytes
    let place = try #require((0..<bytes.count - 6).first { bytes[$0...].starts(with: "qqzqq".utf8) })
    bytes[place] = 0
    #expect(try CheckedBinary(bytes).findings(of: CheckedBinary.rule(RunPathRule.self)).isEmpty)
    #expect(try empty.findings(of: CheckedBinary.rule(RunPathRule.self)).map(\.found) == ["qqzqq"])
    #expect(try found(#"{"folders": ["/opt/b", "/opt"]}"#) == ["/opt/a", "an empty path", "$ORIGIN/../.."])
  }
}
