import Foundation
import TestSupport
import Testing

/// What `signet gate` shows at a terminal, as a text that people have read: `Tests/Vectors/reports/terminal.txt`.
@Suite struct GateTerminalTests {
  /// A release of names that are long, wide, or made to be read as something else, signed with a published key.
  private static let release = #"""
    umask 022
    install -m 600 "$KEYS/insecure-test-ed25519" k && mkdir -p rel/linux rel/mac
    echo a > $'rel/new\nline' && echo b > 'rel/new\u{a}line' && echo c > rel/player-1.2.0.zip.asc && echo d > rel/漢字
    echo e > "rel/$(printf 'n%.0s' {1..60})" && echo A=1 > rel/.env && echo f > rel/notes~
    echo linux > rel/linux/tool && echo mac > rel/mac/tool && echo before > rel/changed
    signet sign --each rel --key k --allow-test-keys -q
    echo after > rel/changed && chmod 666 rel/.env
    echo g > $'rel/\e[31mred' && echo h > $'rel/right\u202egpj.exe' && echo i > $'rel/over\rwritten'
    echo j > $'rel/left\e[2Jout.md'
    for s in '' .sigstore.json; do mv rel/linux/tool$s x && mv rel/mac/tool$s rel/linux/tool$s && mv x rel/mac/tool$s; done
    signet gate rel --key "$KEYS/insecure-test-ed25519.pub" --allow-test-keys --exclude '*.md'
    """#

  @Test("artifacts are aligned, findings are in the order of the rules, and every name shows itself")
  func golden() throws {
    let folder = try TemporaryFolder()
    let run = try Shell.run(Self.release, in: folder.path)
    #expect(run.status == 1, "\(run.errors)")
    #expect(run.errors == "")
    let file = "Tests/Vectors/reports/terminal.txt"
    if ProcessInfo.processInfo.environment["SIGNET_WRITE_REPORTS"] == "1" {
      try Data(run.output.utf8).write(to: URL(fileURLWithPath: "\(Repository.root)/\(file)"))
    }
    #expect(run.output == (try Repository.text(file)))
    // Not even the golden text may have a character that a terminal acts on.
    let odd = run.output.unicodeScalars.filter { $0 != "\n" && ($0.value < 0x20 || (0x7f...0x9f).contains($0.value)) }
    #expect(odd.isEmpty && !run.output.unicodeScalars.contains("\u{202e}"))
    // Each artifact has one line, and no two have the same name.
    let rows = run.output.split(separator: "\n").prefix { $0.hasPrefix("✓") || $0.hasPrefix("✗") }
    #expect(rows.count == 13)
    #expect(Set(rows.map { $0.dropFirst(2).prefix { $0 != " " } }).count == rows.count)
  }
}
