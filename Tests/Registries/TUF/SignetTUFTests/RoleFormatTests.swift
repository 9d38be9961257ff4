import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import SignetTUF

@Suite struct RoleFormatTests {
  private static let header = #""spec_version":"1.0.34","version":1,"expires":"2030-01-01T00:00:00Z""#
  private static let hash = String(repeating: "0", count: 64)

  private static func file(_ signed: String) -> [UInt8] { Array("{\"signed\":{\(signed)},\"signatures\":[]}".utf8) }

  private static func root(_ roles: String = Self.roles, _ more: String = "") -> String {
    "\"_type\":\"root\",\(header),\"keys\":{},\"roles\":{\(roles)}\(more)"
  }

  private static let keys = #"{"keyids":[],"threshold":1}"#
  private static let roles = ["root", "timestamp", "snapshot", "targets"].map { "\"\($0)\":\(keys)" }.joined(
    separator: ",")

  private static func targets(_ targets: String, _ delegations: String? = nil) -> String {
    let more = delegations.map { ",\"delegations\":{\($0)}" } ?? ""
    return "\"_type\":\"targets\",\(header),\"targets\":{\(targets)}\(more)"
  }

  private static func role(_ name: String, _ more: String = #","paths":["*"]"#) -> String {
    "{\"name\":\"\(name)\",\"keyids\":[],\"threshold\":1\(more)}"
  }

  private func read(_ signed: String) throws {
    let bytes = Self.file(signed)
    let type = ["root", "timestamp", "snapshot", "targets"].first { signed.hasPrefix("\"_type\":\"\($0)\"") }
    switch type {
    case "root": _ = try UnverifiedMetadata<RootRole>(bytes).uncheckedRole()
    case "timestamp": _ = try UnverifiedMetadata<TimestampRole>(bytes).uncheckedRole()
    case "snapshot": _ = try UnverifiedMetadata<SnapshotRole>(bytes).uncheckedRole()
    default: _ = try UnverifiedMetadata<TargetsRole>(bytes).uncheckedRole()
    }
  }

  @Test("roles of the right form are read")
  func good() throws {
    for signed in [
      Self.root(), Self.root(Self.roles + ",\"mirrors\":\(Self.keys)", ",\"consistent_snapshot\":false,\"x\":[1]"),
      "\"_type\":\"timestamp\",\(Self.header),\"meta\":{\"snapshot.json\":{\"version\":1}}",
      "\"_type\":\"snapshot\",\(Self.header),\"meta\":{}",
      "\"_type\":\"snapshot\",\(Self.header),\"meta\":{\"a.json\":{\"version\":1,\"length\":0,\"hashes\":{\"x\":\"\"},\"y\":1}}",
      Self.targets(""),
      Self.targets("\"a\":{\"length\":0,\"hashes\":{\"sha256\":\"\(Self.hash)\"},\"custom\":{\"x\":1}}"),
      Self.targets("", "\"keys\":{},\"roles\":[]"),
      Self.targets("", "\"keys\":{\"x\":5},\"roles\":[\(Self.role("a"))]"),
      Self.targets("", "\"keys\":{},\"roles\":[\(Self.role("a", ""))]"),
      Self.targets(
        "", "\"keys\":{},\"roles\":[\(Self.role("a", ",\"path_hash_prefixes\":[\"0\"],\"terminating\":true"))]"),
      Self.targets(
        "", "\"keys\":{},\"succinct_roles\":{\"keyids\":[],\"threshold\":1,\"bit_length\":32,\"name_prefix\":\"b\"}"),
    ] {
      try read(signed)
    }
  }

  @Test("a root that says nothing of consistent snapshots has none")
  func consistentSnapshot() throws {
    for (more, expected) in [
      ("", false), (",\"consistent_snapshot\":true", true), (",\"consistent_snapshot\":false", false),
    ] {
      let file = try UnverifiedMetadata<RootRole>(Self.file(Self.root(Self.roles, more)))
      #expect(try file.uncheckedRole().consistentSnapshot == expected)
    }
  }

  @Test("roles that break their form are refused")
  func malformed() throws {
    let header = Self.header
    for signed in [
      "\"_type\":\"root\"", Self.root(""), Self.root(String(Self.roles.dropLast(20)) + "}"),
      Self.root(Self.roles.replacing("\"threshold\":1", with: "\"threshold\":0")),
      Self.root(Self.roles.replacing("\"keyids\":[]", with: "\"keyids\":[1]")),
      Self.root(Self.roles, ",\"consistent_snapshot\":1"),
      Self.root(Self.roles, ",\"consistent_snapshot\":true,\"keys\":{}"),
      Self.root().replacing("\"version\":1", with: "\"version\":0"),
      Self.root().replacing("\"version\":1", with: "\"version\":-1"),
      Self.root().replacing("\"version\":1", with: "\"version\":\"1\""),
      Self.root().replacing("2030-01-01T00:00:00Z", with: "2030-01-01"),
      Self.root().replacing("2030-01-01T00:00:00Z", with: "2030-13-01T00:00:00Z"),
      "\"_type\":\"timestamp\",\(header),\"meta\":{}",
      "\"_type\":\"timestamp\",\(header),\"meta\":{\"snapshot.json\":{}}",
      "\"_type\":\"timestamp\",\(header),\"meta\":{\"snapshot.json\":{\"version\":1},\"x.json\":{\"version\":1}}",
      "\"_type\":\"snapshot\",\(header)", "\"_type\":\"snapshot\",\(header),\"meta\":[]",
      "\"_type\":\"snapshot\",\(header),\"meta\":{\"a.json\":{\"version\":0}}",
      "\"_type\":\"snapshot\",\(header),\"meta\":{\"a.json\":{\"version\":1,\"length\":-1}}",
      "\"_type\":\"snapshot\",\(header),\"meta\":{\"a.json\":{\"version\":1,\"hashes\":{}}}",
      "\"_type\":\"snapshot\",\(header),\"meta\":{\"a.json\":{\"version\":1,\"hashes\":{\"sha256\":1}}}",
      Self.targets("\"a\":{\"hashes\":{\"sha256\":\"\"}}"), Self.targets("\"a\":{\"length\":1}"),
      Self.targets("\"a\":{\"length\":1,\"hashes\":{}}"),
      Self.targets("\"a\":{\"length\":1,\"hashes\":{\"sha256\":\"\"},\"custom\":1}"),
      Self.targets(
        "\"a\":{\"length\":1,\"hashes\":{\"sha256\":\"\"}},\"a\":{\"length\":1,\"hashes\":{\"sha256\":\"\"}}"),
      Self.targets("", "\"roles\":[]"), Self.targets("", "\"keys\":{}"), Self.targets("", "\"keys\":{},\"roles\":{}"),
      Self.targets("", "\"keys\":{},\"roles\":[\(Self.role("a", ",\"paths\":[],\"path_hash_prefixes\":[]"))]"),
      Self.targets("", "\"keys\":{},\"roles\":[\(Self.role("a", ",\"paths\":\"*\""))]"),
      Self.targets("", "\"keys\":{},\"roles\":[\(Self.role("a", ",\"paths\":[],\"terminating\":1"))]"),
      Self.targets(
        "",
        "\"keys\":{},\"roles\":[],\"succinct_roles\":{\"keyids\":[],\"threshold\":1,\"bit_length\":1,\"name_prefix\":\"b\"}"
      ),
      Self.targets(
        "", "\"keys\":{},\"succinct_roles\":{\"keyids\":[],\"threshold\":1,\"bit_length\":33,\"name_prefix\":\"b\"}"),
      Self.targets(
        "", "\"keys\":{},\"succinct_roles\":{\"keyids\":[],\"threshold\":1,\"bit_length\":0,\"name_prefix\":\"b\"}"),
    ] {
      expectError(.tufMalformed, "\(signed)") { try read(signed) }
    }
  }

  @Test("each fault of a file has its code")
  func codes() throws {
    expectError(.tufWrongType) { _ = try UnverifiedMetadata<SnapshotRole>(Self.file(Self.root())).uncheckedRole() }
    for version in ["2.0.0", "1", "", "1.", "1.0.0.0", "1.a", "0.9", "01.0"] {
      expectError(.tufSpecVersion, "\(version)") { try read(Self.root().replacing("1.0.34", with: version)) }
    }
    for version in ["1.0", "1.0.0", "1.0.34", "1.99"] { try read(Self.root().replacing("1.0.34", with: version)) }
    for name in ["root", "timestamp", "snapshot", "targets", "", String(repeating: "x", count: 251)] {
      expectError(.tufRoleName, "\(name)") {
        try read(Self.targets("", "\"keys\":{},\"roles\":[\(Self.role(name))]"))
      }
    }
    expectError(.tufRoleName) {
      let prefix = String(repeating: "é", count: 60)
      try read(
        Self.targets(
          "",
          "\"keys\":{},\"succinct_roles\":{\"keyids\":[],\"threshold\":1,\"bit_length\":1,\"name_prefix\":\"\(prefix)\"}"
        ))
    }
    expectError(.tufDuplicateRole) {
      try read(Self.targets("", "\"keys\":{},\"roles\":[\(Self.role("a")),\(Self.role("a"))]"))
    }
    expectError(.tufNotCanonical) { try read(Self.root(Self.roles, ",\"x\":1.5")) }
    for text in [
      "", "[]", "{}", #"{"signed":{}}"#, #"{"signatures":[]}"#, "{\"signed\":{\(Self.root())},\"signatures\":{}}",
      "{\"signed\":{\(Self.root())},\"signatures\":[{\"keyid\":\"a\"}]}",
      "{\"signed\":{\(Self.root())},\"signatures\":[]} x",
      "{\"signed\":\(String(repeating: "[", count: 100))\(String(repeating: "]", count: 100)),\"signatures\":[]}",
      "{\"signed\":{\(Self.root())},\"signed\":{\(Self.root())},\"signatures\":[]}",
    ] {
      expectError(.tufMalformed, "\(text)") { _ = try UnverifiedMetadata<RootRole>(Array(text.utf8)) }
    }
  }

  @Test("names that differ only in their Unicode form are different names")
  func exactNames() throws {
    let composed = "\u{e9}"
    let decomposed = "e\u{301}"
    try read(Self.targets("", "\"keys\":{},\"roles\":[\(Self.role(composed)),\(Self.role(decomposed))]"))
    let entry = "{\"length\":0,\"hashes\":{\"sha256\":\"\(Self.hash)\"}}"
    let file = try UnverifiedMetadata<TargetsRole>(Self.file(Self.targets("\"\(composed)\":\(entry)")))
    let role = try file.uncheckedRole()
    #expect(role.target(composed) != nil)
    #expect(role.target(decomposed) == nil)
  }

  @Test("what is read and written has all fields, known and unknown ones")
  func roundTrip() throws {
    for (name, bytes) in try StaticRepositoryTests.files() {
      func check<Role: MetadataRole>(_ type: Role.Type) throws {
        let file = try UnverifiedMetadata<Role>(bytes, name: name)
        var written = try JSONReader.read(ReadableJSON.write(file.uncheckedRole().json), limits: .payload)
        // Times are written in one form.
        if let old = file.signed.text("expires"), UnixTime(old) == nil, case .object(let members) = written.content {
          written = JSONValue(
            .object(members.map { $0.name == "expires" ? JSONValue.Member("expires", .string(old)) : $0 }))
        }
        let isShort = file.signed.member("consistent_snapshot") == nil && name.contains("root")
        if !isShort { #expect(try OLPCJSON.encode(written) == file.message, "\(name)") }
        let readable = try MetadataDraft(continuing: file).bytes()
        #expect(try UnverifiedMetadata<Role>(readable, name: name).message == file.message, "\(name)")
      }
      if name.contains("root.json") && !name.contains("trusted") {
        try check(RootRole.self)
      } else if name.contains("timestamp") {
        try check(TimestampRole.self)
      } else if name.contains("snapshot") {
        try check(SnapshotRole.self)
      } else {
        try check(TargetsRole.self)
      }
    }
  }
}
