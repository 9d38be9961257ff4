import SignetBase
import SignetCrypto
import SignetKeys
import TestSupport
import Testing

@testable import SignetTUF

@Suite struct RoleChangeTests {
  @Test("people read what they sign: keys, thresholds, roles, patterns, targets, expiry")
  func words() throws {
    let repository = try PublishedRepository()
    let root = try #require(try repository.folder.load().root?.role)
    let new = try PrivateKey.generate(.ed25519)
    var changed = root
    changed.version = 2
    changed.keys.insert(try TUFKey(new.publicKey))
    changed.root = KeyThreshold(keyIDs: root.root.keyIDs + [try TUFKey(new.publicKey).id], threshold: 2)
    changed.timestamp.keyIDs = [try TUFKey(new.publicKey).id]
    #expect(
      RoleChanges(from: root, to: changed).lines == [
        "version 1 becomes version 2", "role root: key added: \(new.publicKey)",
        "role root: 2 of 2 keys must sign, before 1 of 1", "role timestamp: key added: \(new.publicKey)",
        "role timestamp: key removed: \(repository.online.publicKey)",
        "valid until \(root.expires), before until \(root.expires)",
      ])
    let old = try #require(try repository.folder.load().targets?.role)
    var targets = old
    targets.delegations = try repository.delegations(["other"])
    targets.insert(TargetFile(path: "file", length: 1, hashes: try FileHashes(of: [1])))
    #expect(
      RoleChanges(from: old, to: targets).lines == [
        "version 1 becomes version 1", "example: removed; clients no longer find its targets", "other: added",
        "other: key added: \(repository.publisher.publicKey)", "other: 1 of 1 keys must sign",
        "other: may offer other/*", "target added: file",
        "valid until \(old.expires), before until \(old.expires)",
      ])
  }

  @Test("fields without a meaning, and what is said of a target, are shown whole and escaped")
  func fields() throws {
    let repository = try PublishedRepository()
    let escape = [JSONValue.Member("x\u{1b}", .string("\u{202e}\n"))]
    let shown = #"{"x\u{1b}":"\u{202e}\u{a}"}"#
    let root = try #require(try repository.folder.load().root?.role)
    var changed = root
    changed.otherRoles = escape
    changed.snapshot.unknown = escape
    changed.header.unknown = escape
    #expect(
      RoleChanges(from: root, to: changed).lines.dropFirst().dropLast() == [
        "role snapshot: fields without a meaning here are now \(shown)",
        "other roles: fields without a meaning here are now \(shown)",
        "root: fields without a meaning here are now \(shown)",
      ])
    let path = String(repeating: "a", count: 500)
    func role(_ bytes: [UInt8], _ custom: JSONValue?) throws -> TargetsRole {
      TargetsRole(
        version: 1, expires: SimulatedRepository.later,
        targets: [TargetFile(path: path, length: bytes.count, hashes: try FileHashes(of: bytes), custom: custom)])
    }
    let (first, second) = (try role([1], nil), try role([2], JSONValue(.object(escape))))
    #expect(
      RoleChanges(from: first, to: second).lines.dropFirst().dropLast() == [
        "target changed: \(path): other bytes, now described as \(shown)"
      ])
    #expect(
      RoleChanges(from: second, to: try role([2], nil)).lines.dropFirst().dropLast() == [
        "target changed: \(path): no longer described"
      ])
    #expect(
      RoleChanges(from: second, to: try role([1], JSONValue(.object(escape)))).lines.dropFirst().dropLast() == [
        "target changed: \(path): other bytes"
      ])
    #expect(RoleChanges(from: second, to: second).lines.count == 2)
    #expect(RoleChanges(from: nil, to: first).lines[1] == "target added: \(path)")
    #expect(RoleChanges(from: nil, to: second).lines[1] == "target added: \(path), described as \(shown)")
  }

  @Test("nothing is left out: the keys of bins, and each of many targets")
  func complete() throws {
    let repository = try PublishedRepository()
    let (mine, other) = (try TUFKey(repository.publisher.publicKey), try PrivateKey.generate(.ed25519))
    func divided(by key: TUFKey) -> TargetsRole {
      TargetsRole(
        version: 2, expires: SimulatedRepository.later,
        delegations: Delegations(
          keys: KeyRing([key]),
          roles: .succinct(
            SuccinctRoles(
              keys: KeyThreshold(keyIDs: [key.id], threshold: 1), bitLength: 1, namePrefix: "example.bin"))))
    }
    let end = "valid until \(SimulatedRepository.later), before until \(SimulatedRepository.later)"
    #expect(
      RoleChanges(from: divided(by: mine), to: divided(by: try TUFKey(other.publicKey))).lines == [
        "version 2 becomes version 2", "bins: key added: \(other.publicKey)",
        "bins: key removed: \(repository.publisher.publicKey)", end,
      ])
    let empty = TargetsRole(version: 2, expires: SimulatedRepository.later)
    #expect(
      RoleChanges(from: empty, to: divided(by: mine)).lines == [
        "version 2 becomes version 2", "targets are distributed among 2 bins called example.bin-…",
        "bins: key added: \(repository.publisher.publicKey)", "bins: 1 of 1 keys must sign", end,
      ])
    var full = empty
    for number in 10..<60 {
      full.insert(TargetFile(path: "\(number)", length: 1, hashes: try FileHashes(of: [1])))
    }
    #expect(
      RoleChanges(from: empty, to: full).lines.dropFirst().dropLast() == (10..<60).map { "target added: \($0)" }[...])
  }
}
