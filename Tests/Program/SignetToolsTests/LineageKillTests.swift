import TestSupport
import Testing

/// Commands that change lineages, and what policies keep of them, killed at each of their system calls that change files.
@Suite("a change of keys that is killed", .enabled(if: Strace.path != nil, Strace.absence)) struct LineageKillTests {
  private static let setup = """
    for k in a b c; do signet keygen --out $k --no-passphrase -q; done
    signet trust rotate one --key a --to b -q && cp one both && signet trust rotate both --key b --to c -q
    signet trust init t.json -q && signet trust add t.json --name n --key a.pub --files '*' -q
    echo tool > tool && signet sign tool --key b -q
    """

  @Test("the lineage is the one of before or the new one, and the command can be run again")
  func rotating() throws {
    let work = try KilledCommand("trust rotate one --key b --to c -q", in: Self.setup)
    try work.check(
      least: 4,
      """
      case $(wc -l < one) in 1) signet trust rotate one --key b --to c -q;; 2) ;; *) exit 1;; esac
      signet trust follow t.json one -q && signet verify tool --policy t.json -q
      """)
  }

  @Test("the policy is the one of before or the one that follows, and the command can be run again")
  func following() throws {
    let work = try KilledCommand("trust follow t.json both -q", in: Self.setup)
    try work.check(
      least: 4,
      """
      signet trust check t.json -q; signet trust follow t.json both -q && signet verify tool --policy t.json -q
      """)
  }

  @Test("the waiver is the one of before or has the new signature, and the command can be run again")
  func waiving() throws {
    let work = try KilledCommand(
      "trust waive m.zip --key b --reason r -q",
      in: """
        for k in a b; do signet keygen --out $k --no-passphrase -q; done
        mkdir -p m/assets && echo a > m/assets/a
        echo '{"identifier": "com.example.player", "version": "1.0.0", "sequence": 2, "resources": ["assets"]}' > m/module.json
        signet pack m --out m.zip -q && signet trust waive m.zip --key a --reason r -q
        """)
    try work.check(
      least: 4,
      """
      case $(wc -l < m.zip.waiver) in 1) signet trust waive m.zip --key b --reason r -q;; 2) ;; *) exit 1;; esac
      test "$(wc -l < m.zip.waiver)" = 2
      """)
  }
}
