import TestSupport
import Testing

/// Fetching what responders say of certificates, killed at each of its system calls that change files.
@Suite("a policy that gets answers and is killed", .enabled(if: Strace.path != nil, Strace.absence))
struct StapleKillTests {
  @Test("the policy is the one of before or the one with the answer, and the command can be run again")
  func stapling() throws {
    let work = try KilledCommand(
      "trust staple t.json leaf.pem -q",
      in: """
        mkdir pki && printf '[req]\\ndistinguished_name=dn\\n[dn]\\n' > cnf
        openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out pki/ca.key 2> /dev/null
        openssl req -new -x509 -config cnf -key pki/ca.key -subj /CN=Root -days 30 -out pki/ca.pem \
          -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign \
          -addext subjectKeyIdentifier=hash
        printf 'V\\t401231235959Z\\t\\t1267\\tunknown\\t/CN=leaf\\n' > pki/index
        (exec python3 "$KEYS/../Tests/Program/SignetCLITests/Mirrors/responder.py" pki port > /dev/null 2>&1 & echo $! > pid)
        for i in $(seq 600); do test -s port && break; sleep 0.1; done
        signet keygen --out k --no-passphrase -q && openssl req -new -config cnf -key k -subj /CN=leaf -out csr
        printf 'basicConstraints=critical,CA:FALSE\\nkeyUsage=critical,digitalSignature\\nextendedKeyUsage=codeSigning\\n' > ext
        printf "subjectKeyIdentifier=hash\\nauthorityKeyIdentifier=keyid\\nauthorityInfoAccess=OCSP;URI:http://127.0.0.1:$(cat port)/good\\n" >> ext
        openssl x509 -req -in csr -CA pki/ca.pem -CAkey pki/ca.key -set_serial 4711 -days 30 -extfile ext -out leaf.pem 2> /dev/null
        signet trust init t.json -q && signet trust add t.json --name ca --authority pki/ca.pem --any-leaf --files '*' -q
        echo tool > tool && signet sign tool --key k --certificate leaf.pem -q
        """)
    defer { _ = try? Shell.run("kill $(cat old/pid)", in: work.folder.path) }
    try work.check(
      least: 4,
      """
      signet trust check t.json -q; signet verify tool --policy t.json -q
      signet trust staple t.json leaf.pem -q && signet trust list t.json | grep -q 'OCSP response: certificate 1267 is good'
      """)
  }
}
