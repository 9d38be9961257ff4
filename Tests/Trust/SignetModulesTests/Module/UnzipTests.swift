import Foundation
import TestSupport
import Testing

@testable import SignetModules
@testable import SignetSigning
@testable import SignetVerify
@testable import TrustTestSupport

/// Programs that know nothing of signing blocks: a signed archive is the same to them as the one without a signature.
@Suite struct UnzipTests {
  /// Archives as they were packed: one with what most archives have, and one with every field that ZIP64 has.
  private static func archives() throws -> [[UInt8]] {
    let entries = """
      z.writestr('module.json', m)
      z.writestr('d/', '')
      z.writestr('d/Größe', 'x' * 9999, 8)
      z.comment = b'a comment'
      """
    return [
      try SignedModule.zip(entries), try Vector.named("accepted-zip64-end", in: "archives").bytes("module.zip"),
    ]
  }

  /// Lists and unpacks an archive before and after it was signed.
  ///
  /// - Parameters:
  ///   - list: prints the names in `m.zip`.
  ///   - extract: unpacks `../m.zip` into the folder it runs in.
  private func check(list: String, extract: String) throws {
    let bundle = try SignedModule().bundle
    for archive in try Self.archives() {
      let folder = try TemporaryFolder()
      var lists: [String] = []
      for (name, bytes) in [("before", archive), ("after", try SignedModule.attach([bundle], to: archive))] {
        try folder.write("m.zip", bytes)
        let script = "(\(list)) > \(name).list && mkdir \(name) && cd \(name) && (\(extract)) > ../said"
        let run = try Program.run(
          "/bin/sh", ["-ec", script], in: folder.path,
          environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "", "LC_ALL": "C.UTF-8"])
        #expect(run.status == 0, "\(name): \(run.errors)")
        #expect(!run.errors.lowercased().contains("warning"), "\(name): \(run.errors)")
        lists.append(String(decoding: try folder.read("\(name).list"), as: UTF8.self))
      }
      #expect(lists[0] == lists[1] && lists[0].contains("\n"))
      let same = try Program.run(
        "/bin/sh", ["-c", "diff -r before after && test -n \"$(ls before)\""], in: folder.path)
      #expect(same.status == 0, "\(same.output)")
    }
  }

  @Test("Info-ZIP lists and unpacks a signed archive as if it were not")
  func infoZIP() throws { try check(list: "unzip -Z1 m.zip && unzip -tqq m.zip", extract: "unzip -qq ../m.zip") }

  @Test("bsdtar lists and unpacks a signed archive as if it were not")
  func bsdtar() throws { try check(list: "bsdtar -tf m.zip", extract: "bsdtar -xf ../m.zip") }

  @Test("bsdtar, which reads a pipe from the front, sees nothing in the block")
  func stream() throws { try check(list: "cat m.zip | bsdtar -tf -", extract: "cat ../m.zip | bsdtar -xf -") }

  @Test("Python's zipfile lists and unpacks a signed archive as if it were not")
  func python() throws {
    try check(
      list: "python3 -m zipfile -l m.zip && python3 -m zipfile -t m.zip", extract: "python3 -m zipfile -e ../m.zip .")
  }

  @Test(
    "jar lists and unpacks a signed archive as if it were not",
    .enabled(if: Program.find("jar") != nil, "jar, which comes with Java, is not installed"))
  func jar() throws { try check(list: "jar tf m.zip", extract: "jar xf ../m.zip") }

  @Test(
    "7-Zip lists, tests and unpacks a signed archive as if it were not",
    .enabled(if: Program.find("7z") != nil, "7z is not installed"))
  func sevenZip() throws {
    try check(list: "7z t m.zip > said && 7z l -ba m.zip", extract: "7z x -bd -y ../m.zip")
  }
}
