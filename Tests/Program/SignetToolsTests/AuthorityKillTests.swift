import TestSupport
import Testing

/// Commands of an authority, killed at each of their system calls that change files.
@Suite("an authority that is killed", .enabled(if: Strace.path != nil, Strace.absence)) struct AuthorityKillTests {
  @Test(
    "what was issued can be read afterwards, the command can be run again, and no certificate is there that the list lacks",
    arguments: [
      "cert issue ca a.pub --subject B --out b.pem -q", "cert renew ca a.pem --out b.pem -q",
      "cert revoke ca a.pem --reason key-compromise -q", "cert crl ca -q",
      "cert init-ca b --subject B --parent ca --no-passphrase -q",
    ])
  func killed(_ command: String) throws {
    let work = try KilledCommand(
      command,
      in: """
        signet cert init-ca ca --subject Team --no-passphrase -q && signet keygen --out a --no-passphrase -q \
        && signet cert issue ca a.pub --subject A --out a.pem -q
        """)
    // A certificate is whole, and its number is in the list.
    try work.check(
      least: 5,
      """
      signet cert show ca > shown
      for f in b.pem b/ca.pem; do
        if [ -e $f ]; then grep -q "$(openssl x509 -in $f -noout -serial | cut -d= -f2 | tr A-F a-f)" shown; fi
      done
      if [ -e ca/crl.pem ]; then openssl crl -in ca/crl.pem -noout; fi
      test ! -e b || signet cert show b > /dev/null
      rm -rf b b.pem; signet \(command); signet cert show ca > /dev/null
      """)
  }
}
