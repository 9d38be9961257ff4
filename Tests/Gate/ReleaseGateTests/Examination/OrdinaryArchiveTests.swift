import Foundation
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
        "d=$(printf 'd%.0s' {1..90}); mkdir -p s/$d; cp key s/$d/a; cp key s/$d/b; tar --format=posix -cf o s",
        "archive-form"
      ),
      (
        "d=$(printf 'd%.0s' {1..99}); mkdir -p $d/e/f; cp key $d/e/f/a; cp key $d/e/f/b; python3 -c \"import tarfile,sys; t=tarfile.open('o','w'); t.add('$d'); t.close()\"",
        "archive-form"
      ),
      ("python3 -c \"import zipfile; zipfile.ZipFile('o','w').close()\"", "archive-form"),
      ("python3 -m zipfile -c i.zip key; zip -q0 o.zip key i.zip; mv o.zip o", "archive-form"),
      ("cp key a; jar cf i.jar a; jar c0fM o.jar i.jar; mv o.jar o", "archive-form"),
      ("mkdir tmp; chmod 1777 tmp; tar --format=gnu -cf o tmp", "archive-form"),
      (
        "mkdir f; echo > f/_darcs; cp key f/Cargo.toml.orig; echo > f/package.json.orig; tar --format=gnu -cf o f",
        "archive-form"
      ),
      ("mkfifo p; tar --format=gnu -cf o p", "archive-form"),
      (
        "python3 -c \"import tarfile; t=tarfile.open('o','w'); i=tarfile.TarInfo('dev/null'); i.type=tarfile.CHRTYPE; i.mode=0o666; i.devmajor=1; i.devminor=3; t.addfile(i); t.close()\"",
        "archive-form"
      ),
      (
        "python3 -c \"import zipfile; z=zipfile.ZipFile('o','w'); z.writestr('d/',b''); z.writestr('d/a',b'x'); z.writestr('d/',b'')\" 2> n",
        "archive-form"
      ),
      (
        "python3 -c \"import zipfile,io; z=zipfile.ZipFile('o','w',8); f=z.open('a','w',force_zip64=True); f.write(b'x'*9); f.close(); z.close()\"",
        "archive-form"
      ),
      // cargo and Gradle list a file twice.
      ("tar --format=gnu -cf o key; cp key k; tar --format=gnu -rf o k key", "archive-form"),
      (
        "python3 -c \"import zipfile; z=zipfile.ZipFile('o','w',8); z.write('key'); z.writestr('a','x'); z.write('key')\" 2> n",
        "archive-form"
      ),
      (
        "mkdir d; (cd d; seq 1500 | xargs touch); tar --format=gnu -cf o d; tar --format=gnu -rf o d", "archive-form"
      ),
      // Android's build tools fill holes with headers that say nothing.
      (
        """
        python3 - <<'X'
        import zipfile
        f = open('o', 'wb')
        def fill(n):
          f.write(b'PK\\3\\4' + bytes(6) + b'!\\10!\\2' + bytes(14) + n.to_bytes(2, 'little') + bytes(n))
        fill(102)
        z = zipfile.ZipFile(f, 'w')
        z.write('key')
        fill(60000)
        fill(0)
        z.start_dir = f.tell()
        z.writestr('a', 'x')
        z.close()
        X
        """, "archive-form"
      ),
      // Among the data of a program.
      ("python3 -m zipfile -c i key; (printf 'go object linux'; cat i; echo more) > o", "archive-form"),
      // Split, in one part.
      ("zip -q -s 64k o.zip key; mv o.zip o", "archive-form"),
      (
        "python3 -c \"import zipfile; f=open('o','wb'); f.write(b'PK00'); z=zipfile.ZipFile(f,'w'); z.write('key'); z.close()\"",
        "archive-form"
      ),
      // A package of OpenWrt, and one of Arch Linux.
      (
        "mkdir d; ln -s /tmp d/var; tar --format=gnu -czf data.tar.gz -C d .; echo 2.0 > debian-binary; tar --format=gnu -czf o.ipk ./debian-binary ./data.tar.gz",
        "archive-form"
      ),
      ("touch .PKGINFO; ln -s /etc/a l; tar --format=gnu -cf o.pkg.tar .PKGINFO l", "archive-form"),
    ] as [(String, String?)])
  func ordinary(commands: String, form: String?) throws {
    let name = ["o.ipk", "o.pkg.tar"].first { commands.contains($0) } ?? "o"
    let findings = try WalkedFile.findings(try WalkedFile.made(commands, name), name)
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
        "cp key aa.txt; (cat key; echo) > bb.txt; jar cfM o.jar aa.txt bb.txt; mv o.jar o; python3 - <<'X'\nd=open('o','rb').read()\nopen('o','wb').write(d.replace(b'bb.txt',b'aa.txt'))\nX",
        "archive.duplicate-path"
      ),
      ("tar --format=gnu -cf o key; echo >> key; tar --format=gnu -rf o key", "archive.duplicate-path"),
      ("tar --format=gnu -cf o key; chmod +x key; tar --format=gnu -rf o key", "archive.duplicate-path"),
      ("tar --format=gnu -cf o key; ln key k; tar --format=gnu -rf o k key", "archive.duplicate-path"),
      // All programs take both spellings for one path.
      ("mkdir -p a; ln -s ../.. a/l; tar --format=gnu --transform 's#^a/l#a/././l#' -cf o a/l", "path.parent"),
      (
        "mkdir d; cp key d/x; tar --format=gnu -cf o d/x; echo >> d/x; tar --format=gnu -rf o d//x",
        "archive.duplicate-path"
      ),
      ("python3 -m zipfile -c i key; (printf '#!/bin/sh\\n'; cat i; echo) > o", "archive.trailing-data"),
      // Any tar can begin like a package of Linux.
      ("touch .INSTALL; ln -s /etc l; tar --format=gnu -cf o .INSTALL l", "path.absolute"),
      ("python3 -m zipfile -c i key; (printf GIF89a; cat i; echo more) > o", "archive.trailing-data"),
      (
        "python3 -c \"import zipfile; f=open('o','wb'); f.write(b'PK00PK00'); z=zipfile.ZipFile(f,'w'); z.write('key'); z.close()\"",
        "archive.leading-data"
      ),
      (
        "python3 -c \"import zipfile; f=open('o','wb'); f.write(b'PK\\3\\4'+bytes(24)+b'\\3\\0a/b'); z=zipfile.ZipFile(f,'w'); z.write('key'); z.close()\"",
        "archive.leading-data"
      ),
      (
        "python3 -c \"import zipfile; f=open('o','wb'); z=zipfile.ZipFile(f,'w'); z.write('key'); f.write(b'PK\\3\\4'+bytes(22)+b'\\1\\0\\0\\0a'); z.start_dir=f.tell(); z.write('/etc/hostname','b'); z.close()\"",
        "archive.gap"
      ),
      ("tar --format=gnu -cf i key; (cat i; echo x) > o", "archive.trailing-data"),
      ("tar --format=gnu -cf i key; head -c 700 i > o", "archive.truncated"),
      ("ln -s /etc/passwd l; tar --format=gnu -cf o l", "path.absolute"),
      ("ln -s ../../x l; tar --format=gnu -cf o l", "path.parent"),
      ("tar --format=gnu -P -cf o \"$PWD/key\"", "path.absolute"),
      ("tar --format=gnu --transform 's/key/..\\/key/' -P -cf o key", "path.parent"),
      ("touch A a; tar --format=gnu -cf o A a", "path.case-collision"),
      ("cp key a; ar rc i a; (cat i; head -c 70 /dev/urandom) > o", "archive.data"),
      ("cp key a; ar rc i a; (cat i; echo x) > o", "archive.trailing-data"),
      ("cp key a; ar rc i a; head -c 100 i > o", "archive.truncated"),
      (
        "echo 2.0 > debian-binary; cp key a; ar rc i debian-binary a; python3 -c \"d=open('i','rb').read(); open('o','wb').write(d+d[d.index(b'a/ '):])\"",
        "archive.duplicate-path"
      ),
      (
        "printf 'int f(void){return 1;}' > f.c; cc -c f.c; ar rcs i f.o; python3 -c \"d=bytearray(open('i','rb').read()); d[75]+=2; open('o','wb').write(d)\"",
        "archive.header-mismatch"
      ),
      (
        // Where the inner end record leads, there is a central directory: in front of it in the outer ZIP.
        "python3 -c \"import zipfile,struct; z=zipfile.ZipFile('o','w'); z.writestr('a','x'*9); z.writestr('b',b'PK\\1\\2'+b'x'*60+struct.pack('<IHHHHIIH',0x06054b50,0,0,1,1,64,71,0)); z.close()\"",
        "archive.end-record"
      ),
      (
        "python3 -c \"import zipfile; z=zipfile.ZipFile('o','w'); z.writestr('a',b'PK\\5\\6'+bytes(18)); z.close()\"",
        "archive.end-record"
      ),
      (
        // The name in the header itself, which only programs without extended headers use.
        "printf x > a; tar --format=posix -cf i a; python3 - <<'X'\nd=bytearray(open('i','rb').read())\nd[1024:1028]=b'../b'\nd[1172:1180]=b' '*8\nd[1172:1180]=b'%06o\\0 '%sum(d[1024:1536])\nd[512:1024]=b'12 path=abc\\n'.ljust(512,b'\\0')\nd[124:136]=b'%011o\\0'%12\nd[148:156]=b' '*8\nd[148:156]=b'%06o\\0 '%sum(d[0:512])\nopen('o','wb').write(d)\nX",
        "path.parent"
      ),
      ("touch \"$(printf 'a\\001b')\"; tar --format=gnu -cf o a*", "path.control"),
    ])
  func dangers(commands: String, code: String) throws {
    let findings = try WalkedFile.findings(try WalkedFile.made(commands, "o"), "app.bin")
    #expect(findings.contains { $0.hasPrefix("archive | ") && $0.contains(" | \(code) | ") }, "\(findings)")
  }

  @Test(
    "names in any encoding are compared by their bytes",
    arguments: [
      ("latin-1", "ä.txt ö.txt", nil), ("koi8-r", "привет ПРИВЕТ", nil), ("shift-jis", "表.txt ソ/能.txt", nil),
      ("gbk", "誠.txt 目录/文件", nil), ("latin-1", "ä.txt ä.txt", "archive.duplicate-path"),
      ("shift-jis", "ソ..表..表x", nil),
    ])
  func encodings(encoding: String, names: String, code: String?) throws {
    let make = """
      python3 - <<'X'
      import io, tarfile
      with tarfile.open('o', 'w', format=tarfile.GNU_FORMAT, encoding='\(encoding)') as t:
        for k, n in enumerate('\(names)'.split()):
          i = tarfile.TarInfo(n); i.size = 1; t.addfile(i, io.BytesIO(bytes([k])))
      X
      """
    let findings = try WalkedFile.findings(try WalkedFile.made(make, "o"))
    let dangers = findings.filter { $0.hasPrefix("archive | ") }
    if let code {
      #expect(dangers.contains { $0.contains(" | \(code) | ") }, "\(findings)")
    } else {
      #expect(dangers == [])
    }
    #expect(findings.contains { $0.contains("archive-form | ") })
  }

  @Test(
    "the second byte of a character may be a backslash, and yet lead nowhere out",
    arguments: [
      ([0x95, 0x5c, 0x2e, 0x2e, 0x5c], "path.backslash"), ([0x95, 0x5c, 0x2e, 0x2e, 0x2f, 0x61], "path.parent"),
    ])
  func hiddenSeparators(name: [UInt8], code: String) throws {
    let text = name.map { String(format: "\\x%02x", $0) }.joined()
    let make = """
      python3 - <<'X'
      import tarfile
      t = tarfile.open('o', 'w', format=tarfile.GNU_FORMAT, encoding='latin-1')
      t.addfile(tarfile.TarInfo(b'\(text)a'.decode('latin-1'))); t.close()
      X
      """
    let findings = try WalkedFile.findings(try WalkedFile.made(make, "o"))
    #expect(findings.contains { $0.hasPrefix("archive | ") && $0.contains(" | \(code) | ") }, "\(findings)")
  }

  @Test("a file with a tar's checksum by chance is no tar where nothing can be read of it")
  func chance() throws {
    func checked(_ size: String) throws -> [UInt8] {
      var bytes = try WalkedFile.made("tar --format=gnu -cf o key", "o")
      bytes.replaceSubrange(124..<136, with: Array(size.utf8) + [UInt8](repeating: 0, count: 12 - size.utf8.count))
      // With the mark of a tar it would be one that is damaged.
      bytes.replaceSubrange(257..<265, with: [UInt8](repeating: 0, count: 8))
      bytes.replaceSubrange(148..<156, with: [UInt8](repeating: 0x20, count: 8))
      let sum = String(bytes[..<512].reduce(0) { $0 + Int($1) }, radix: 8)
      bytes.replaceSubrange(
        148..<156, with: Array((String(repeating: "0", count: 6 - sum.utf8.count) + sum).utf8) + [0, 0x20])
      return bytes
    }
    #expect(try WalkedFile.findings(checked("zzz")).map { $0.prefix(15) } == ["private-key | -"])
    for size in ["17777777777", "+1"] {
      #expect(try WalkedFile.findings(checked(size)).contains { $0.hasPrefix("archive | ") }, "\(size)")
    }
  }

  @Test("links to the root and names that differ by case are ordinary in a package, and only there")
  func packages() throws {
    let tar =
      "mkdir -p t; ln -s /etc/x t/l; touch t/A t/a 't/x\\x2dy'; tar --format=gnu -czf data.tar.gz -C t ./l ./A ./a './x\\x2dy';"
    let package = try WalkedFile.findings(
      try WalkedFile.made(tar + "echo 2.0 > debian-binary; ar rc o debian-binary data.tar.gz", "o"))
    #expect(!package.contains { $0.hasPrefix("archive | ") }, "\(package)")
    let other = try WalkedFile.findings(try WalkedFile.made(tar + "ar rc o data.tar.gz", "o"))
    #expect(other.contains { $0.hasPrefix("archive | data.tar.gz | l | path.absolute") }, "\(other)")
  }

  @Test(
    "a file that begins like LZMA by chance is a file",
    arguments: [
      // Kotlin's metadata, a table of Ruby, a matrix of MATLAB, and firmware of AMD.
      [0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0x7f], [0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0x0b, 0],
      [0, 0, 0, 0, 0xc0, 0x20, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xa0, 0, 0x0a],
    ])
  func chance(head: [UInt8]) throws {
    #expect(try WalkedFile.findings(head) == [])
    #expect(try WalkedFile.places(of: head + WalkedFile.key) == ["-"])
    // Its name says otherwise.
    #expect(try WalkedFile.findings(head, "a.lzma").map { $0.prefix(10) } == ["unsearched"])
  }

  @Test("names that differ by case are no danger where nothing is unpacked", arguments: ["a.jar", "a.apk", "a.zip"])
  func readInPlace(name: String) throws {
    let zip = try WalkedFile.made(
      "python3 -c \"import zipfile; z=zipfile.ZipFile('o','w'); z.writestr('M/LICENSE','x'); z.writestr('M/license/a','y'); z.close()\"",
      "o")
    let findings = try WalkedFile.findings(zip, name)
    let rule = name == "a.zip" ? "archive" : "archive-form"
    #expect(findings.map { $0.components(separatedBy: " | ")[0] } == [rule], "\(findings)")
  }
}
