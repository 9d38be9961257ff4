import Foundation
import SignetArchive
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import ReleaseGate

@Suite struct ContainerTests {
  @Test(
    "a key is found in every container",
    arguments: [
      ("tar --format=gnu -cf o key", "key"), ("tar --format=v7 -cf o key", "key"), ("tar -cf o ./key", "key"),
      ("tar --format=posix -cf o key", "key"), ("tar -czf o key", "key"), ("tar -cJf o key", "key"),
      ("tar -cjf o key", "key"), ("tar --zstd -cf o key", "key"), ("tar -cf - key | lz4 -q - o", "key"),
      ("tar -cf - key | xz --format=lzma > o", "key"),
      ("python3 -c \"import zipfile; zipfile.ZipFile('o','w',8).write('key')\"", "key"),
      ("python3 -m zipfile -c o key", "key"), ("ar rc o key", "key"),
      ("gzip < key > o", "-"), ("xz < key > o", "-"), ("bzip2 < key > o", "-"), ("zstd -q < key > o", "-"),
      ("gzip < /dev/null > o; gzip < key >> o", "-"), ("(echo x | xz; xz < key) > o", "-"),
      ("(echo x | zstd -q; zstd -q < key) > o", "-"), ("(echo x | bzip2; bzip2 < key) > o", "-"),
      ("(echo x | lz4 -q; lz4 -q < key) > o", "-"), ("gzip < key | xz > o", "-"),
      ("(tar -cf - key | head -c 3000 | gzip; tar -cf - key | tail -c +3001 | gzip) > o", "key"),
      ("tar -cf i.tar key; gzip i.tar; tar -cf o i.tar.gz", "i.tar.gz!key"),
      ("tar -cf a key; tar -cf b a; tar -cf c b; tar -cf d c; tar -cf o d", "d!c!b!a!key"),
      ("tar -czf a key; tar -cf b a; python3 -m zipfile -c o b", "b!a!key"),
      (
        "(echo '#!/bin/sh'; python3 -c \"import zipfile,sys; zipfile.ZipFile('z','w',8).write('key')\"; cat z) > o",
        "key"
      ),
      (
        "python3 -c \"import zipfile; zipfile.ZipFile('z','w',8).write('key')\"; (head -c 90000 /bin/ls; cat z) > s; tar -cf - s | gzip > o",
        "s!key"
      ),
    ])
  func containers(commands: String, place: String) throws {
    let findings = try WalkedFile.findings(try WalkedFile.made(commands, "o"))
    #expect(findings.contains { $0.hasPrefix("private-key | \(place) | ") }, "\(findings)")
    #expect(!findings.contains { $0.hasPrefix("unsearched") || $0.hasPrefix("archive | ") }, "\(findings)")
  }

  @Test("a Debian package and an RPM are looked into")
  func packages() throws {
    let debian = """
      mkdir -p p/DEBIAN p/usr/bin; chmod 755 p p/DEBIAN; cp key p/usr/bin/tool; ln -s /etc/x p/usr/bin/l
      printf 'Package: t\\nVersion: 1\\nArchitecture: all\\nMaintainer: a\\nDescription: d\\n' > p/DEBIAN/control
      cp key p/DEBIAN/postinst; chmod 755 p/DEBIAN/postinst
      dpkg-deb --root-owner-group -b p o > /dev/null
      """
    let findings = try WalkedFile.findings(try WalkedFile.made(debian, "o"))
    let keys = findings.filter { $0.hasPrefix("private-key") }.map { $0.split(separator: " ")[2] }
    #expect(keys == ["control.tar.xz!postinst", "data.tar.xz!usr/bin/tool"], "\(findings)")
    #expect(!findings.contains { $0.hasPrefix("unsearched") || $0.hasPrefix("archive | ") }, "\(findings)")
  }

  /// An RPM package with this payload, and a header that has this text among its data.
  private static func rpm(_ payload: [UInt8], _ text: String = "") -> [UInt8] {
    func number(_ value: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    func header(_ data: [UInt8]) -> [UInt8] {
      [0x8e, 0xad, 0xe8, 1, 0, 0, 0, 0] + number(1) + number(data.count)
        + [UInt8](repeating: 0, count: 16) + data
    }
    let lead = [0xed, 0xab, 0xee, 0xdb, 3, 0] + [UInt8](repeating: 0, count: 90)
    let signatures = header([1, 2, 3])
    let padding = [UInt8](repeating: 0, count: (8 - (96 + signatures.count) % 8) % 8)
    return lead + signatures + padding + header(Array(text.utf8)) + payload
  }

  @Test("a key is found in a cpio of either form in text")
  func cpio() throws {
    for isOld in [false, true] {
      let bytes = WalkedFile.cpio("usr/k", WalkedFile.key, isOld: isOld)
      #expect(try WalkedFile.places(of: bytes) == ["usr/k"])
      let trailing = try WalkedFile.findings(bytes + [0, 0, 1])
      #expect(trailing.contains { $0.hasPrefix("archive | - | - | archive.trailing-data") }, "\(trailing)")
    }
    var long = WalkedFile.cpio("usr/k", WalkedFile.key)
    long.replaceSubrange(94..<102, with: Array("ffffffff".utf8))
    let found = try WalkedFile.findings(long)
    #expect(found.contains("archive | - | - | archive.data | 4294967295 bytes"), "\(found)")
    #expect(found.contains { $0.hasPrefix("private-key | - | ") }, "what cannot be listed is searched as it is")
  }

  @Test("an RPM's payload and its headers are searched")
  func rpm() throws {
    let cpio = WalkedFile.cpio("./usr/k", WalkedFile.key)
    #expect(try WalkedFile.places(of: Self.rpm(cpio)) == ["usr/k"])
    #expect(
      try WalkedFile.places(of: Self.rpm(cpio, String(decoding: WalkedFile.key, as: UTF8.self))) == ["-", "usr/k"])
    let unknown = try WalkedFile.findings(Self.rpm(Array("07070X".utf8) + WalkedFile.key))
    #expect(unknown.contains("unsearched | - | - | archive.filter | -"), "\(unknown)")
    #expect(unknown.contains { $0.hasPrefix("private-key") })
    let cut = try WalkedFile.findings(Array(Self.rpm(cpio).prefix(120)))
    #expect(cut.contains("unsearched | - | - | archive.truncated | -"), "\(cut)")
  }

  @Test("names and modes in nested archives are judged")
  func names() throws {
    let bytes = try WalkedFile.made(
      "mkdir .git; touch .git/config .env a~ w s; chmod 666 w; chmod 4755 s; tar -cf i .git .env a~ w s; tar -cf o i",
      "o")
    let findings = try WalkedFile.findings(bytes)
    for line in [
      "version-control | i!.git", "environment-file | i!.env", "dropping | i!a~", "world-writable | i!w",
      "special-mode | i!s",
    ] { #expect(findings.contains { $0.hasPrefix(line + " | ") }, "\(line): \(findings)") }
  }

  @Test("binaries in nested archives are judged, and run paths from their own archive's root")
  func binaries() throws {
    let bytes = try WalkedFile.made("head -c 200 /bin/ls > tool; tar -czf i tool; tar -cf o i", "o")
    let findings = try WalkedFile.findings(bytes)
    #expect(findings.contains { $0.hasPrefix("binary-format | i!tool | ") }, "\(findings)")
    #expect(RunPath.problem(of: Array("$ORIGIN/../x".utf8)[...], from: "a/b.jar!lib/t") == nil)
    #expect(RunPath.problem(of: Array("$ORIGIN/../../x".utf8)[...], from: "a/b.jar!lib/t") != nil)
  }

  @Test(
    "what cannot be searched is named",
    arguments: [
      ("(printf '7z\\274\\257\\047\\034'; cat key) > o", "-", "archive.filter"),
      ("(printf 'Rar!\\032\\007\\000'; cat key) > i; tar -cf o i", "i", "archive.filter"),
      ("printf hsqs > o", "-", "archive.filter"),
      ("cp key a; ar rcT o a", "-", "archive.filter"),
      ("(printf '<bigaf>\\n'; cat key) > o", "-", "archive.filter"),
      ("(head -c 32769 /dev/zero; printf CD001; head -c 9000 /dev/zero) > o", "-", "archive.filter"),
      ("(head -c 700 /dev/zero; printf koly; head -c 508 /dev/zero) > o", "-", "archive.filter"),
      ("gzip < key | head -c 60 > o", "-", "archive.truncated"),
      ("xz < /bin/ls > i; head -c 20000 i > o", "-", "archive.truncated"),
      (
        "tar -cf a key; for i in b c d e f; do tar -cf $i a; cp $i a; done; cp a o", "a!a!a!a!a",
        "archive.entry-count"
      ),
      ("gzip < key | gzip | gzip > o", "-", "archive.entry-count"),
    ])
  func unsearched(commands: String, place: String, code: String) throws {
    let findings = try WalkedFile.findings(try WalkedFile.made(commands, "o"))
    #expect(findings.contains { $0.hasPrefix("unsearched | \(place) | - | \(code) | ") }, "\(findings)")
  }

  @Test("an encrypted ZIP is dangerous, and each of its entries was not searched")
  func encrypted() throws {
    var zip = try WalkedFile.made("python3 -m zipfile -c o key", "o")
    // The flag in the local header and in the central directory.
    zip[6] |= 1
    let directory = try #require((0..<zip.count - 4).first { zip[$0...].starts(with: [0x50, 0x4b, 1, 2]) })
    zip[directory + 8] |= 1
    let findings = try WalkedFile.findings(zip)
    #expect(findings.contains { $0.hasPrefix("archive | - | key | archive.encrypted") }, "\(findings)")
    #expect(findings.contains { $0.hasPrefix("unsearched | key | - | archive.encrypted") }, "\(findings)")
  }

  @Test("a policy may allow what is not searched, by its name wherever it is")
  func allowed() throws {
    let bytes = try WalkedFile.made("printf '7z\\274\\257\\047\\034' > i.7z; tar -cf o i.7z", "o")
    for (pattern, count) in [("*.7z", 0), ("app.bin/i.7z", 0), ("*.rar", 1), ("i.7z", 0)] {
      let found = try WalkedFile.findings(bytes, "app.bin", #""unsearched": {"allow": ["\#(pattern)"]}"#)
      #expect(found.filter { $0.hasPrefix("unsearched") }.count == count, "\(pattern)")
    }
    expectError(.jsonWrongValue) { _ = try ContentCheck(UnsearchedRule.self, #"{"allow": ["/"]}"#) }
  }

  @Test("what is compressed into itself ends")
  func quine() throws {
    // gzip data that decompress to themselves would not end; here, a file in many layers.
    let bytes = try WalkedFile.made("cp key o; for i in 1 2 3 4 5 6 7 8 9; do gzip < o > p; cp p o; done", "o")
    #expect(try WalkedFile.findings(bytes).contains { $0.hasPrefix("unsearched") })
  }

  @Test("a bomb is dangerous, and is named as not searched")
  func bombs() throws {
    // Alone in its release a file may expand to 1 GiB, in a release of a thousand to 32 MiB: see `shares`.
    let (count, size) = Extent.isWhole ? (1, 1_200_000_000) : (1000, 40_000_000)
    let bytes = try WalkedFile.made("head -c \(size) /dev/zero | gzip > o", "o")
    let findings = try WalkedFile.findings(bytes, among: count)
    #expect(findings.contains { $0.hasPrefix("archive | - | - | archive.ratio") }, "\(findings)")
    #expect(findings.contains { $0.hasPrefix("unsearched | - | - | archive.ratio") }, "\(findings)")
  }

  @Test(
    "a file that only begins like a container is searched like any other",
    arguments: ["PKGBUILD", "BZhello", "070701 is a number", "!<arch", "Rar", "LZIP", "\u{1f}", "", "P"])
  func others(text: String) throws {
    let bytes = Array(text.utf8) + Array("\n".utf8) + WalkedFile.key
    #expect(try WalkedFile.places(of: bytes) == ["-"])
    let findings = try WalkedFile.findings(bytes)
    #expect(findings.filter { !$0.hasPrefix("private-key") && !$0.hasPrefix("unsearched") } == [], "\(findings)")
  }

  @Test("what cannot be read is an error, and no finding")
  func unreadable() throws {
    struct Unreadable: ByteSource {
      let path = "a"
      let size = 600
      func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SignetError) {
        throw SignetError(.fileReadFailed, path, "cannot be read")
      }
    }
    var budget = SearchBudget(size: 1)
    expectError(.fileReadFailed) {
      _ = try Container.open(Unreadable(), as: .zip, faults: ContainerFaults(), isPackage: false, &budget)
    }
  }
}

@Suite struct LongNameTests {
  private static let long = "('n'*200+'/')*21"

  @Test(
    "a name that is too long to be compared is a danger, and its end is not believed to be harmless",
    arguments: [
      ("tarfile.GNU_FORMAT", "i.name = \(long) + '../'*22 + 'escaped'"),
      ("tarfile.PAX_FORMAT", "i.name = \(long) + '../'*22 + 'escaped'"),
      ("tarfile.GNU_FORMAT", "i.type = tarfile.SYMTYPE; i.linkname = './'*2048 + '../../etc'"),
      ("tarfile.PAX_FORMAT", "i.type = tarfile.LNKTYPE; i.linkname = 'a/'*2048 + '../../etc'"),
    ])
  func tars(form: String, change: String) throws {
    let bytes = try WalkedFile.made(
      "python3 -c \"import tarfile; t = tarfile.open('o', 'w', format=\(form)); i = tarfile.TarInfo('a'); \(change); t.addfile(i); t.close()\"",
      "o")
    let findings = try WalkedFile.findings(bytes).filter { $0.hasPrefix("archive | ") }
    #expect(findings.count == 1 && findings[0].contains(" | path.bounds | "), "\(findings)")
  }

  @Test("the same in a ZIP")
  func zip() throws {
    let bytes = try WalkedFile.made(
      "python3 -c \"import zipfile; zipfile.ZipFile('o', 'w').writestr(\(Self.long) + '../'*22 + 'escaped', 'a')\"",
      "o")
    let findings = try WalkedFile.findings(bytes).filter { $0.hasPrefix("archive | ") }
    #expect(findings.count == 1 && findings[0].contains(" | path.bounds | "), "\(findings)")
  }

  @Test("a name of just the length that is compared has no finding, and one byte more has")
  func edge() throws {
    for (count, faults) in [(ArchiveListing.nameLimit, 0), (ArchiveListing.nameLimit + 1, 1)] {
      // 40 folders of 102 bytes with their slashes, and a last name.
      let bytes = try WalkedFile.made(
        "python3 -c \"import tarfile; t = tarfile.open('o', 'w', format=tarfile.GNU_FORMAT); t.addfile(tarfile.TarInfo(('n'*101+'/')*40 + 'n'*\(count - 4080))); t.close()\"",
        "o")
      let findings = try WalkedFile.findings(bytes).filter { $0.hasPrefix("archive | ") }
      #expect(findings.count == faults, "\(findings)")
      #expect(findings.allSatisfy { $0.contains(" | path.bounds | ") }, "\(findings)")
    }
  }

  @Test("the more files a release has, the less each may expand to beyond its ratio")
  func shares() throws {
    for (size, count, limit) in [
      (1, 1, 1 << 30), (1, 32, 1 << 30), (1, 100_000, (32 << 30) / 100_000), (1 << 20, 100_000, 200 << 20),
    ] {
      var budget = SearchBudget(size: size, among: count)
      try budget.spend(limit, "a")
      expectError(.archiveRatio) { try budget.spend(1, "a") }
    }
    let bytes = try WalkedFile.made("head -c 3000000 /dev/zero | gzip > o", "o")
    #expect(try WalkedFile.findings(bytes) == [])
    let findings = try WalkedFile.findings(bytes, among: 100_000)
    #expect(findings.contains { $0.hasPrefix("archive | - | - | archive.ratio") }, "\(findings)")
  }

  @Test("the names of all archives in an artifact take bounded memory")
  func budget() throws {
    var budget = SearchBudget(size: 1)
    let name = String(repeating: "n", count: 4096)
    for _ in 0..<8190 { try budget.spendEntry(name.utf8.count, of: "app.tar") }
    // Where links lead is kept, too.
    var link = WalkedFile.cpio("l", Array(name.utf8))
    link.replaceSubrange(14..<22, with: Array("0000A1FF".utf8))
    let links = link[..<(112 + 4096)] + link[..<(112 + 4096)] + link
    let tar = try WalkedFile.made(
      "for i in 1 2 3; do ln -s $(printf 'n%.0s' {1..4000}) l$i; done; tar --format=gnu -cf o l1 l2 l3", "o")
    for (bytes, format) in [(Array(links), ContainerFormat.cpio), (tar, .tar)] {
      var rest = budget
      let container = try Container.open(
        BytesInMemory(bytes, path: "app"), as: format, faults: ContainerFaults(), isPackage: false, &rest)
      #expect(container.faults.unread?.code == .archiveEntryCount, "\(format)")
    }
    for _ in 0..<2 { try budget.spendEntry(name.utf8.count, of: "app.tar") }
    expectError(.archiveEntryCount) { try budget.spendEntry(1, of: "app.tar") }
    #expect(budget.isSpent)
  }
}

@Suite struct ContainerPlaceTests {
  @Test("a ZIP with faults behind a program is found, and is dangerous")
  func faultsBehind() throws {
    let bytes = try WalkedFile.made(
      "python3 -c \"import zipfile; zipfile.ZipFile('z','w',8).write('key')\"; (echo '#!/bin/sh'; cat z z) > o", "o")
    let findings = try WalkedFile.findings(bytes)
    #expect(findings.contains { $0.hasPrefix("archive | - | ") }, "\(findings)")
  }

  @Test("a bundle that is an archive is searched, and nobody misses its signature")
  func bundles() throws {
    let artifact = ExaminedArtifact(
      path: "a.sigstore.json", isDirectory: false, size: 0, sha256: try Digest.of([], .sha256), .notVerified)
    var walk = ContentWalk(artifact, RuleSettings())
    let bytes = try WalkedFile.made("tar -cf o key", "o")
    try walk.read(BytesInMemory(bytes, path: "a.sigstore.json"), as: nil, mode: 0o644)
    #expect(walk.findings.map(\.rule) == ["private-key"])
    #expect(walk.findings.first?.entry == "key")
  }
}
