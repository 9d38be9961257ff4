import SignetArchive
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import ReleaseGate

/// What is in an archive or beside compressed data, and belongs to no entry: it is searched, too.
@Suite struct StructureTests {
  /// A program that has the key as it is in `k`, and on one line, as names and links have it, in `l`.
  private static func python(_ code: String) -> String {
    "python3 - <<'X'\nimport tarfile,zipfile,zlib,struct,io\nk=open('key','rb').read()\n"
      + "l=k.replace(b'\\n',b' ').decode().strip()\n\(code)\nX"
  }

  /// Files with a key that only their structure has, and the entry in which it is found.
  private static let hidden: [(name: String, commands: String, entry: String)] = [
    ("a ZIP's comment", python("z=zipfile.ZipFile('o','w'); z.writestr('a','x'); z.comment=k; z.close()"), "-"),
    (
      "a comment in a ZIP of another program",
      python("z=zipfile.ZipFile('o','w',12); z.writestr('a','x'); z.comment=k; z.close()"), "-"
    ),
    (
      "the comment of a ZIP's entry",
      python("z=zipfile.ZipFile('o','w'); i=zipfile.ZipInfo('a'); i.comment=k; z.writestr(i,'x'); z.close()"), "-"
    ),
    (
      "an extra field",
      python(
        "z=zipfile.ZipFile('o','w'); i=zipfile.ZipInfo('a'); i.extra=struct.pack('<HH',0x4b4b,len(k))+k\nz.writestr(i,'x'); z.close()"
      ), "-"
    ),
    ("a ZIP's name", python("z=zipfile.ZipFile('o','w'); z.writestr(l,'x'); z.close()"), "-"),
    (
      "a compressed link",
      python(
        "z=zipfile.ZipFile('o','w',8); i=zipfile.ZipInfo('a'); i.create_system=3; i.external_attr=0o120777<<16\nz.writestr(i,l,8); z.close()"
      ), "a"
    ),
    (
      "a comment of pax",
      python(
        "t=tarfile.open('o','w',format=tarfile.PAX_FORMAT); i=tarfile.TarInfo('a'); i.pax_headers={'comment':l}\nt.addfile(i); t.close()"
      ), "-"
    ),
    (
      "a comment of pax for all entries",
      python(
        "t=tarfile.open('o','w',format=tarfile.PAX_FORMAT,pax_headers={'comment':l}); t.addfile(tarfile.TarInfo('a')); t.close()"
      ),
      "-"
    ),
    (
      "an owner's name",
      python(
        "t=tarfile.open('o','w',format=tarfile.PAX_FORMAT); i=tarfile.TarInfo('a'); i.uname=l\nt.addfile(i); t.close()"
      ), "-"
    ),
    (
      "a long name behind its NUL",
      python(
        "n=b'a'*120+b'\\0'+k; t=tarfile.open('o','w',format=tarfile.GNU_FORMAT); i=tarfile.TarInfo('././@LongLink')\ni.type=b'L'; i.size=len(n); t.addfile(i,io.BytesIO(n)); t.addfile(tarfile.TarInfo('a'*100)); t.close()"
      ), "-"
    ),
    (
      "a directory of an old tar with content",
      python(
        "t=tarfile.open('o','w',format=tarfile.GNU_FORMAT); i=tarfile.TarInfo('a/'); i.size=len(k)\nt.addfile(i,io.BytesIO(k)); t.close()\nd=bytearray(open('o','rb').read()); d[0:2]=b'a/'; d[148:156]=b' '*8; d[148:156]=b'%06o\\0 '%sum(d[:512]); open('o','wb').write(d)"
      ), "-"
    ),
    (
      "a volume's label",
      python(
        "t=tarfile.open('o','w',format=tarfile.GNU_FORMAT); i=tarfile.TarInfo('a'); i.type=b'V'; i.size=len(k)\nt.addfile(i,io.BytesIO(k)); t.addfile(tarfile.TarInfo('b')); t.close()"
      ), "-"
    ),
    (
      "the name of a member",
      python(
        "o=open('o','wb'); o.write(b'!<arch>\\n'+b'#1/%-13d'%len(k)+b'0           0     0     100644  %-10d`\\n'%(len(k)+1)+k+b'x'+b'\\n'*(len(k)%2==0))"
      ), "-"
    ),
    (
      "a member like a table",
      "cp key __.SYMDEF_key; ar rc i __.SYMDEF_key; sed 's,__.SYMDEF_key/,__.SYMDEF_key ,' i > o", "__.SYMDEF_key"
    ),
    (
      "a gzip's name",
      python(
        "c=zlib.compressobj(9,8,-15); d=c.compress(b'x')+c.flush()\no=open('o','wb'); o.write(b'\\x1f\\x8b\\x08\\x08\\0\\0\\0\\0\\0\\3'+k+b'\\0'+d+struct.pack('<II',zlib.crc32(b'x'),1))"
      ), "-"
    ),
    (
      "a gzip's second comment",
      python(
        "c=zlib.compressobj(9,8,-15); d=c.compress(b'x')+c.flush()+struct.pack('<II',zlib.crc32(b'x'),1)\no=open('o','wb'); o.write(b'\\x1f\\x8b\\x08\\0\\0\\0\\0\\0\\0\\3'+d+b'\\x1f\\x8b\\x08\\x10\\0\\0\\0\\0\\0\\3'+k+b'\\0'+d)"
      ), "-"
    ),
    (
      "a gzip in a gzip's extra field",
      python(
        "import gzip\ng=gzip.compress(k,mtime=0); c=zlib.compressobj(9,8,-15); d=c.compress(b'x')+c.flush()\no=open('o','wb'); o.write(b'\\x1f\\x8b\\x08\\x04\\0\\0\\0\\0\\0\\3'+struct.pack('<H',len(g)+4)+b'KK'+struct.pack('<H',len(g))+g+d+struct.pack('<II',zlib.crc32(b'x'),1))"
      ), "-"
    ),
    (
      "a ZIP in the last frame that is skipped",
      "python3 -c \"import zipfile; zipfile.ZipFile('z','w',8).write('key')\"; echo x | zstd -q > o; python3 -c \"import struct; d=open('z','rb').read(); open('o','ab').write(b'P*M\\x18'+struct.pack('<I',len(d))+d)\"",
      "key"
    ),
    (
      "a gzip in a frame that is skipped",
      "gzip < key > z; python3 -c \"import struct; d=open('z','rb').read(); open('o','ab').write(b'P*M\\x18'+struct.pack('<I',len(d))+d)\"; echo x | lz4 -q >> o",
      "-"
    ),
  ]

  @Test("a key in the structure is found", arguments: hidden.map(\.name))
  func structure(name: String) throws {
    let (_, commands, entry) = try #require(Self.hidden.first { $0.name == name })
    let findings = try WalkedFile.findings(try WalkedFile.made(commands, "o"))
    #expect(findings.contains { $0.hasPrefix("private-key | \(entry) | ") }, "\(name): \(findings)")
    #expect(findings.filter { $0.hasPrefix("private-key") }.count <= 2, "\(findings)")
  }

  @Test("a place in the structure is told by its offset in the file")
  func offsets() throws {
    let bytes = try WalkedFile.made(
      Self.python("z=zipfile.ZipFile('o','w'); z.writestr('a','x'*999); z.comment=k; z.close()"), "o")
    let offset = try #require(bytes.indices.first { bytes[$0...].starts(with: WalkedFile.key) })
    #expect(try WalkedFile.findings(bytes).contains { $0.hasPrefix("private-key | - | offset \(offset) | ") })
  }

  @Test("the raw bytes of a file of compress are searched: once its table is full, it takes any")
  func compress() throws {
    let bytes = try WalkedFile.made(
      "head -c 3000000 /bin/bash /usr/bin/python3* 2> n | compress -b 9 -c > o || true", "o")
    #expect(bytes.starts(with: [0x1f, 0x9d]))
    #expect(try WalkedFile.places(of: bytes + WalkedFile.key) == ["-"])
  }

  @Test("a signature of Signet in a ZIP is searched, in an artifact and in an archive in it")
  func signingBlock() throws {
    let bytes = BytesInMemory(
      try WalkedFile.made(
        "python3 -m zipfile -c i key; touch a; rm key; touch key; zip -qX o.zip a; mv o.zip o", "o"), path: "o")
    let whole = try ZIPArchive(bytes, limits: ArchiveLimits()).attaching(WalkedFile.key)
    let signed = try whole.bytes(in: 0..<whole.size)
    #expect(try WalkedFile.places(of: signed) == ["-"])
    let outer = try WalkedFile.made("base64 -d <<< \(Base64.encode(signed)) > i.zip; tar -cf o i.zip", "o")
    #expect(try WalkedFile.places(of: outer) == ["i.zip"])
    let opened = try ArchiveFile(whole, limits: ArchiveLimits()).open()
    #expect(try WalkedFile.findings(of: opened, in: whole).filter { $0.hasPrefix("private-key | - | ") }.count == 1)
  }

  @Test("the header of a module's gzip is searched")
  func module() throws {
    let tar = try WalkedFile.made("echo x > a; tar --format=ustar -cf i a; gzip -n < i > o", "o")
    let named = tar[..<3] + [0x10] + tar[4..<10] + WalkedFile.key + [0] + tar[10...]
    let source = BytesInMemory(Array(named), path: "o")
    let opened = try ArchiveFile(source, limits: ArchiveLimits()).open()
    #expect(try WalkedFile.findings(of: opened, in: source).filter { $0.hasPrefix("private-key | - | ") }.count == 1)
  }

  @Test("what two programs cut into entries in two ways is a danger in a cpio")
  func cpio() throws {
    let whole = WalkedFile.cpio("a", WalkedFile.key)
    var directory = whole
    directory.replaceSubrange(14..<22, with: Array("000041ED".utf8))
    var named = WalkedFile.cpio("abc", [1])
    named[111] = 0
    let end = try #require(whole.indices.first { whole[$0...].starts(with: "TRAILER".utf8) }) - 110
    var trailing = whole
    trailing.replaceSubrange(end + 54..<end + 62, with: Array("00000004".utf8))
    for (bytes, code) in [
      (directory, "archive.record"), (named, "archive.data"), (trailing + [1, 2, 3, 4], "archive.data"),
    ] {
      let findings = try WalkedFile.findings(bytes)
      #expect(
        findings.contains {
          $0.hasPrefix("archive | - | - | \(code) | ") || $0.hasPrefix("archive | - | a | \(code)")
        }, "\(findings)")
    }
    #expect(try WalkedFile.places(of: directory).contains("a"))
    // Zeros behind the name align the content.
    let aligned = WalkedFile.cpio("a\u{0}\u{0}\u{0}", WalkedFile.key)
    #expect(
      try WalkedFile.findings(aligned).allSatisfy {
        $0.hasPrefix("private-key | a | ") || $0.hasPrefix("archive-form")
      })
  }

  @Test("an empty ZIP hides nothing before its end record")
  func empty() throws {
    func little(_ value: Int) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    let value = little(WalkedFile.key.count + 4) + [1, 2, 3, 4] + WalkedFile.key
    let block = little(value.count + 24) + value + little(value.count + 24) + Array("APK Sig Block 42".utf8)
    let head = Array("PK\u{5}\u{6}".utf8) + [UInt8](repeating: 0, count: 12)
    let findings = try WalkedFile.findings(block + head + little(block.count).prefix(4) + [0, 0], "a.apk")
    #expect(findings.contains { $0.hasPrefix("private-key | APK Signing Block | ") }, "\(findings)")
  }

  @Test("the trailer of a disk image is told, whatever follows its mark")
  func decoys() throws {
    let trailer =
      Array("koly".utf8) + [UInt8](repeating: 0, count: 200) + Array("koly".utf8) + [UInt8](repeating: 1, count: 304)
    for bytes in [trailer, [UInt8](repeating: 0, count: 9000) + trailer] {
      let findings = try WalkedFile.findings(bytes)
      #expect(findings.contains { $0.hasPrefix("unsearched | - | - | archive.filter") }, "\(findings)")
    }
  }

  @Test("a payload whose names are in the header of its package is not passed over in silence")
  func stripped() throws {
    let findings = try WalkedFile.findings(
      Array("07070X00000001\0\0".utf8) + (try WalkedFile.made("gzip < key > o", "o")))
    #expect(findings.contains { $0.hasPrefix("unsearched | - | - | archive.filter") }, "\(findings)")
  }

  @Test("an allowed file keeps the findings of another one with its name")
  func sameName() throws {
    let made = """
      cp key k; sed 's/MC4C/MC4D/' key > key2; python3 - <<'X' 2> n
      import zipfile
      z = zipfile.ZipFile('o', 'w'); z.writestr('key', 'A' + open('key').read()); z.writestr('key', open('key').read())
      X
      """
    let zip = try WalkedFile.made(made, "o")
    let digest = try Digest.of(WalkedFile.key, .sha256).hex
    func found(_ rule: String) throws -> Int {
      try WalkedFile.findings(zip, "app.zip", #""private-key": \#(rule), "signature": "off""#).filter {
        $0.hasPrefix("private-key | key |")
      }.count
    }
    #expect(try found(#""error""#) == 2)
    #expect(try found(#"{"allow": ["sha256:\#(digest)"]}"#) == 1)
  }

  @Test("an allowed file with many keys leaves none of them")
  func manyAllowed() throws {
    let bytes = Array(repeating: WalkedFile.key, count: 150).flatMap(\.self)
    let digest = try Digest.of(bytes, .sha256).hex
    let rules = #""private-key": {"allow": ["sha256:\#(digest)"]}, "signature": "off""#
    #expect(try WalkedFile.findings(bytes, "app.bin", rules) == [])
  }
}
