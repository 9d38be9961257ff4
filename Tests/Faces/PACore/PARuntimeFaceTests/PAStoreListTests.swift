import Foundation
import ModuleStore
import PluginHost
import Signet
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import HostTestSupport
@testable import PARuntimeFace

/// The store's list, which is signed or ignored, and items in it.
@Suite("PARuntime's list") struct PAStoreListTests {
  private static var dictionary: [String: Any] {
    [
      "identifier": "com.example.wechat", "version": "1.2", "zipName": "wechat.zip",
      "frameworkName": "WeChat.framework",
      "remoteURL": "https://example.com/wechat.zip", "resources": ["wechat", "pay"],
    ]
  }

  private static func plist(_ value: Any, _ format: PropertyListSerialization.PropertyListFormat = .xml) throws
    -> [UInt8]
  {
    Array(try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0))
  }

  /// Writes a list, and signs it as a file or as a manifest.
  @discardableResult private func write(
    _ bytes: [UInt8], _ name: String = "store.plist", in folder: TemporaryFolder, by key: PrivateKey,
    manifest sequence: Int? = nil
  ) throws -> String {
    let path = try folder.write(name, bytes)
    let signer = try Signer(key)
    let bundle =
      if let sequence {
        try signer.sign(
          .bytes(bytes),
          Signer.HostManifestClaims(
            name: name, identifier: identifier("com.example.host.store"), sequence: sequence,
            signedAt: ModuleWorkshop.time))
      } else {
        try signer.sign(.bytes(bytes), Signer.FileClaims(name: name, signedAt: ModuleWorkshop.time))
      }
    try folder.write(name + ".sigstore.json", bundle.canonicalBytes())
    return path
  }

  @Test("PA7: an item has the runtime's keys; without an identifier or a version it is none")
  func item() throws {
    let item = try PropertyListDecoder().decode(PADownloadItem.self, from: Data(Self.plist(Self.dictionary)))
    #expect(item.identifier == "com.example.wechat" && item.version == "1.2")
    #expect(item.zipName == "wechat.zip" && item.frameworkName == "WeChat.framework")
    #expect(item.remoteURL == "https://example.com/wechat.zip" && item.resources == ["wechat", "pay"])
    #expect(item.uri == PAURI("ui://wechat"))
    let offer = try item.offer()
    #expect(
      "\(offer.identifier) \(offer.release) \(offer.url)" == "com.example.wechat 1.2.0 https://example.com/wechat.zip"
    )
    let json = try JSONDecoder().decode(
      PADownloadItem.self, from: Data(#"{"identifier": "com.example.a", "version": "1", "icon": 3}"#.utf8))
    #expect(json.zipName == nil && json.resources.isEmpty && json.uri == nil)
    for key in ["identifier", "version"] {
      var fields = Self.dictionary
      fields[key] = nil
      let error = #expect(throws: DecodingError.self) {
        try PropertyListDecoder().decode(PADownloadItem.self, from: Data(Self.plist(fields)))
      }
      guard case .keyNotFound(let missing, _)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(missing.stringValue == key)
    }
  }

  @Test(
    "PA7: a short version means zeros at its end",
    arguments: [
      ("1", "1.0.0"), ("1.2", "1.2.0"), ("1.2.3", "1.2.3"), ("1.0.0-beta", "1.0.0-beta"), ("", nil), ("1.", nil),
      (".1", nil), ("1.2.3.4", nil), ("01.2", nil), ("v1", nil), ("1.2-beta", nil),
    ] as [(String, String?)])
  func version(_ text: String, _ meant: String?) {
    #expect(SemanticVersion(written: text).map { "\($0)" } == meant)
  }

  @Test("PA12: a list is read as an XML or binary property list or as JSON, and unknown keys are told")
  func formats() throws {
    var fields = Self.dictionary
    fields["icon"] = Data([1, 2])
    fields["date"] = Date(timeIntervalSince1970: 0)
    fields["rating"] = 4.5
    let root: [String: Any] = ["title": "Store", "items": [fields, Self.dictionary]]
    for bytes in [try Self.plist(root), try Self.plist(root, .binary)] {
      let list = try PAStoreList(verified: bytes)
      #expect(list.items.map(\.identifier) == ["com.example.wechat", "com.example.wechat"])
      #expect(list.items[0].resources == ["wechat", "pay"])
      #expect(Set(list.unknownKeys) == ["title", ".list[0].icon", ".list[0].date", ".list[0].rating"])
    }
    #expect(try PAStoreList(verified: Self.plist([Self.dictionary], .binary)).items.count == 1)
    let json = try JSONSerialization.data(withJSONObject: [Self.dictionary])
    #expect(try PAStoreList(verified: Array(json)).items[0].version == "1.2")
    #expect(try PAStoreList(verified: Self.plist([Any]())).items.isEmpty)
  }

  @Test(
    "PA12: what is no list is refused, however deep or large it is",
    arguments: [
      "", "x", "(a)", "<plist>", "[1]", "{}", #"[{"identifier": 1, "version": "1"}]"#, #"[{"version": "1"}]"#,
      #"{"a": [], "b": []}"#, "<plist><array><string>x</string></array></plist>", "bplist00", "<plist/>",
      "<plist>" + String(repeating: "<array>", count: 100_000) + String(repeating: "</array>", count: 100_000)
        + "</plist>",
      "<plist><array><dict><key>identifier</key><integer>1</integer></dict></array></plist>",
      "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><array/></plist>",
      "<plist>" + String(repeating: "<array a='/>'>", count: 100_000) + "</plist>",
      "<plist>" + String(repeating: "<array><!--</array>-->", count: 100_000) + "</plist>",
      "<plist>" + String(repeating: "<array><!--></array>-->", count: 45_000) + "</plist>", "bplist = ();",
    ].map { LongText($0) })
  func malformed(_ hostile: LongText) {
    expectError(.fetchItem) { _ = try PAStoreList(verified: Array(hostile.text.utf8)) }
  }

  @Test("PA12: a binary list that holds itself, or one value very often, ends")
  func cycles() {
    func list(_ objects: [[UInt8]]) -> [UInt8] {
      var bytes = Array("bplist00".utf8)
      var places: [UInt8] = []
      for object in objects {
        places.append(UInt8(bytes.count))
        bytes += object
      }
      let table = UInt8(bytes.count)
      bytes += places + [0, 0, 0, 0, 0, 0, 1, 1]
      for number in [UInt8(objects.count), 0, table] { bytes += [0, 0, 0, 0, 0, 0, 0, number] }
      return bytes
    }
    expectError(.fetchItem) { _ = try PAStoreList(verified: list([[0xa1, 0]])) }
    let doubled = (1...30).map { [0xa2, UInt8($0), UInt8($0)] as [UInt8] } + [[0x51, 0x61]]
    expectError(.fetchItem) { _ = try PAStoreList(verified: list(doubled)) }
    // Counts that no number holds, and a text that reaches beyond the end.
    for count: [UInt8] in [[0xaf, 0x13, 0x80], [0xdf, 0x13, 0x40], [0xaf, 0x13, 0xff]] {
      expectError(.fetchItem) { _ = try PAStoreList(verified: list([count + [UInt8](repeating: 0, count: 7)])) }
    }
    expectError(.fetchItem) {
      _ = try PAStoreList(verified: list([[0xa1, 1], [0x6f, 0x10, 100] + [UInt8](repeating: 0, count: 100)]))
    }
    let cut = list([[0xa1, 1], [0x51, 0x61]])
    for end in 8..<cut.count { expectError(.fetchItem) { _ = try PAStoreList(verified: Array(cut[..<end])) } }
  }

  @Test("PA12: a list that is signed as a file counts; any other is ignored, told, and the host's own list is used")
  func signed() throws {
    let workshop = try ModuleWorkshop()
    let (fetched, own) = (try TemporaryFolder(), try TemporaryFolder())
    let manager = try workshop.manager()
    func read() throws -> [String] {
      try manager.storeList(fetched: fetched.file("store.plist"), embedded: own.file("store.plist")).items.map(
        \.version)
    }
    func list(_ version: String) throws -> [UInt8] {
      try Self.plist([Self.dictionary.merging(["version": version]) { $1 }], .binary)
    }
    try write(list("1"), in: own, by: workshop.key)
    // Nothing is fetched yet.
    #expect(try read() == ["1"])
    #expect(manager.host.refusals.map(\.reason.code) == [.fileMissing])
    let path = try write(list("2"), in: fetched, by: workshop.key)
    #expect(try read() == ["2"])
    #expect(try manager.storeList(path).items.map(\.version) == ["2"])
    #expect(manager.host.refusals.count == 1)
    // Each way in which it is not the signed list.
    let stranger = try PrivateKey.generate(.ed25519)
    for (code, change) in [
      (.digestMismatch, { try fetched.write("store.plist", list("3")) }),
      (.signatureMissing, { try FileManager.default.removeItem(atPath: path + ".sigstore.json") }),
      (.signerUntrusted, { try write(list("3"), in: fetched, by: stranger) }),
      (
        .subjectName,
        {
          try write(list("3"), "other.plist", in: fetched, by: workshop.key)
          try fetched.write("store.plist", fetched.read("other.plist"))
          return try fetched.write("store.plist.sigstore.json", fetched.read("other.plist.sigstore.json"))
        }
      ),
      (
        .statementPredicateType,
        {
          try write(Array("{\"items\": []}".utf8), in: fetched, by: workshop.key, manifest: 1)
        }
      ),
      (.fetchItem, { try write(Array("[1]".utf8), in: fetched, by: workshop.key) }),
    ] as [(SignetError.Code, () throws -> Any)] {
      _ = try change()
      #expect(try read() == ["1"], "\(code)")
      #expect(manager.host.refusals.last?.reason.code == code)
      #expect(manager.host.refusals.last?.source == path)
    }
    // If the host's own is no better, there is none.
    try own.write("store.plist", list("4"))
    expectError(.digestMismatch) { _ = try read() }
    let modules = TrustScope(modules: [try #require(ModulePattern("com.*.*"))])
    let entry = try TrustEntry("modules", .key(workshop.key.publicKey), scope: modules)
    let strict = try workshop.manager(TrustPolicy(entries: [entry], terms: TrustPolicy.Terms()))
    try write(list("5"), in: fetched, by: workshop.key)
    // Who may publish modules may not publish lists unless the policy says so.
    expectError(.signerOutOfScope) { _ = try strict.storeList(path) }
  }

  @Test("PA12: a list that is signed as a manifest is not replaced by an older one")
  func manifest() throws {
    let workshop = try ModuleWorkshop()
    let (fetched, own) = (try TemporaryFolder(), try TemporaryFolder())
    let kind = SignedFileKind.manifest(try identifier("com.example.host.store"))
    func list(_ version: String, _ sequence: Int, in folder: TemporaryFolder) throws {
      let text = #"{"items": [{"identifier": "com.example.wechat", "version": "\#(version)"}]}"#
      try write(Array(text.utf8), "store.json", in: folder, by: workshop.key, manifest: sequence)
    }
    func read(_ manager: PABundleManager) throws -> [String] {
      try manager.storeList(fetched: fetched.file("store.json"), embedded: own.file("store.json"), as: kind).items
        .map(\.version)
    }
    try list("1", 2, in: own)
    try list("9", 1, in: fetched)
    let first = try workshop.manager()
    #expect(try read(first) == ["1"])
    #expect(first.host.refusals.map(\.reason.code) == [.policyRollback])
    try list("3", 3, in: fetched)
    #expect(try read(first) == ["3"])
    try list("2", 2, in: fetched)
    // Also in the next process.
    let next = try workshop.manager()
    #expect(try read(next) == ["1"])
    #expect(next.host.refusals.map(\.reason.code) == [.policyRollback])
    expectError(.policyRollback) { _ = try next.storeList(fetched.file("store.json"), as: kind) }
    // A list for another host, or signed as a file, is none.
    expectError(.manifestIdentifierMismatch) {
      _ = try next.storeList(fetched.file("store.json"), as: .manifest(identifier("com.example.other")))
    }
    expectError(.statementPredicateType) { _ = try next.storeList(fetched.file("store.json")) }
  }
}
