import Foundation
import TestSupport
import Testing

@Suite("What a loss of power leaves", .enabled(if: Strace.path != nil, Strace.absence)) struct DurabilityTests {
  private static let syncs: Set = ["fsync", "fdatasync", "syncfs"]
  private static let names: Set = ["link", "linkat", "rename", "renameat", "renameat2"]

  @Test(
    "a file is synced before it gets its name, and its folder after that",
    arguments: [
      "keygen --out other --no-passphrase -q", "sign file --key key -q", "sign signed --key key --force -q",
      "pack module --out module.zip -q", "trust init trust.json -q",
      "cert request --key key --subject A --out csr -q",
    ])
  func synced(_ command: String) throws {
    let folder = try TemporaryFolder()
    let made = try Shell.run(
      "signet keygen --out key --no-passphrase -q && echo 1 > file && echo 2 > signed && signet sign signed --key key -q"
        + #" && mkdir module && echo '{"identifier": "com.example.a", "version": "1.0.0", "sequence": 1}' > module/module.json"#,
      in: folder.path)
    try #require(made.status == 0, "\(made.errors)")
    let log = folder.file("log")
    let calls = (Self.syncs.union(Self.names)).sorted().joined(separator: ",")
    let run = try Strace.run(
      ["-o", log, "-e", "trace=\(calls)"], [Shell.signet] + command.split(separator: " ").map(String.init),
      in: folder.path)
    try #require(run.status == 0, "\(run.output)\(run.errors)")
    // A link to a temporary name gives none.
    let done = Strace.calls(in: try String(contentsOfFile: log, encoding: .utf8)).filter {
      $0.text.hasSuffix("= 0") && !($0.name.hasPrefix("link") && $0.text.contains(".tmp\""))
    }
    // Syncs before the first name, between each two, and behind the last.
    let counts = done.split(omittingEmptySubsequences: false) { Self.names.contains($0.name) }.map(\.count)
    #expect(counts.count >= 2, "\(done.map(\.text))")
    #expect(counts.first ?? 0 >= 1 && counts.last ?? 0 >= 1, "\(done.map(\.text))")
    #expect(counts.dropFirst().dropLast().allSatisfy { $0 >= 2 }, "\(done.map(\.text))")
  }
}
