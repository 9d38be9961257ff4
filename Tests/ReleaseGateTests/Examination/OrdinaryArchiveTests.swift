import TestSupport
import Testing

@testable import ReleaseGate

/// What other programs ordinarily write: it is searched, and is no danger. What is dangerous is found behind it.
@Suite struct OrdinaryArchiveTests {
  @Test(
    "an archive of another program has no finding but that of its form",
    arguments: [
      ("mkdir -p d; cp key d/a; jar cf o.jar d; mv o.jar o", "archive-form"),
      ("cp key a; jar cfM o.jar a; mv o.jar o", "archive-form"),
      ("mkdir -p d; cp key d/a; zip -qr o.zip d; mv o.zip o", nil),
      (
        "printf '{\"name\":\"a\",\"version\":\"1.0.0\"}' > package.json; npm pack -s > /dev/null; mv a-1.0.0.tgz o",
        "archive-form"
      ),
      ("mkdir -p d; cp key d/a; ln d/a d/b; ln -s a d/l; tar --format=gnu -cf o d", "archive-form"),
      ("mkdir -p d; cp key d/a; tar --format=v7 -cf o ./d", "archive-form"),
      ("mkdir -p d; cp key d/a; tar --format=gnu -b 512 -cf o d", "archive-form"),
      ("truncate -s 1M s; echo x >> s; tar -Scf o s", "archive-form"),
      ("truncate -s 1M s; echo x >> s; tar --format=pax -Scf o s", "archive-form"),
      ("tar --format=gnu -cf o key; cp key k2; tar --format=gnu -rf o k2", "archive-form"),
      (
        "git init -q r; cd r; cp ../key a; git add a; git -c user.name=a -c user.email=a commit -qm a; git archive HEAD > ../o",
        "archive-form"
      ),
      ("python3 -c \"import zipfile; z=zipfile.ZipFile('o','w',12); z.write('key')\"", "archive-form"),
      ("python3 -c \"import zipfile; z=zipfile.ZipFile('o','w',14); z.write('key')\"", "archive-form"),
      (
        "python3 -c \"import zipfile,io; z=zipfile.ZipFile('o','w',8); f=z.open('a','w',force_zip64=True); f.write(b'x'*9); f.close(); z.close()\"",
        "archive-form"
      ),
    ] as [(String, String?)])
  func ordinary(commands: String, form: String?) throws {
    let findings = try WalkedFile.findings(try WalkedFile.made(commands, "o"))
    let rules = Set(findings.compactMap { $0.split(separator: " ").first.map(String.init) })
    #expect(rules.subtracting(["private-key", "archive-form", "version-control"]) == [], "\(findings)")
    #expect(rules.contains("archive-form") == (form != nil), "\(findings)")
  }

  @Test(
    "a danger is found behind a form",
    arguments: [
      ("mkdir -p d; cp key d/a; jar cf o.jar d; mv o.jar o; printf x >> o", "archive.trailing-data"),
      ("cp key a; jar cf i.jar a; mv i.jar i; (printf x; cat i) > o", "archive.leading-data"),
      (
        "cp key aa.txt; cp key bb.txt; jar cfM o.jar aa.txt bb.txt; mv o.jar o; python3 - <<'X'\nd=open('o','rb').read()\nopen('o','wb').write(d.replace(b'bb.txt',b'aa.txt'))\nX",
        "archive.duplicate-path"
      ),
      ("tar --format=gnu -cf o key; cp key k; tar --format=gnu -rf o key", "archive.duplicate-path"),
      ("tar --format=gnu -cf i key; (cat i; echo x) > o", "archive.trailing-data"),
      ("tar --format=gnu -cf i key; head -c 700 i > o", "archive.truncated"),
      ("ln -s /etc/passwd l; tar --format=gnu -cf o l", "path.absolute"),
      ("ln -s ../../x l; tar --format=gnu -cf o l", "path.parent"),
      ("tar --format=gnu -P -cf o \"$PWD/key\"", "path.absolute"),
      ("tar --format=gnu --transform 's/key/..\\/key/' -P -cf o key", "path.parent"),
      ("touch A a; tar --format=gnu -cf o A a", "path.case-collision"),
      ("mkfifo p; tar --format=gnu -cf o p", "archive.special-file"),
      ("touch \"$(printf 'a\\001b')\"; tar --format=gnu -cf o a*", "path.control"),
    ])
  func dangers(commands: String, code: String) throws {
    let findings = try WalkedFile.findings(try WalkedFile.made(commands, "o"), "app.bin")
    #expect(findings.contains { $0.hasPrefix("archive | ") && $0.contains(" | \(code) | ") }, "\(findings)")
  }

  @Test("links to the root and names that differ by case are ordinary in a package, and only there")
  func packages() throws {
    let tar = "mkdir -p t; ln -s /etc/x t/l; touch t/A t/a; tar --format=gnu -czf data.tar.gz -C t ./l ./A ./a;"
    let package = try WalkedFile.findings(
      try WalkedFile.made(tar + "echo 2.0 > debian-binary; ar rc o debian-binary data.tar.gz", "o"))
    #expect(!package.contains { $0.hasPrefix("archive | ") }, "\(package)")
    let other = try WalkedFile.findings(try WalkedFile.made(tar + "ar rc o data.tar.gz", "o"))
    #expect(other.contains { $0.hasPrefix("archive | data.tar.gz | l | path.absolute") }, "\(other)")
  }
}
