internal import SignetBase
internal import SignetCrypto

extension Revocation {
  init(_ object: JSONObject) throws(SignetError) {
    var object = object
    let target = try Self.target(&object)
    self.init(target, reason: try object.string("reason"), date: try object.optionalTime("date"))
    try object.finish()
  }

  private static func target(_ object: inout JSONObject) throws(SignetError) -> Target {
    let kinds = ["key", "serial", "sha256", "fsverity", "sequence", "versions"].filter { object.has($0) }
    guard kinds.count == 1 else {
      throw SignetError(
        .policyEntry, object.place, "does not revoke exactly one thing",
        expected: "key, serial, sha256, fsverity, sequence or versions",
        found: kinds.isEmpty ? "none" : kinds.joined(separator: ", "))
    }
    let text = kinds[0] == "sequence" ? "" : try object.string(kinds[0])
    switch kinds[0] {
    case "key":
      guard let id = KeyID(text) else { throw object.wrong("key", "a key ID as ssh-keygen prints it", text) }
      return .key(id)
    case "serial":
      let issuer = try object.optionalString("issuer")
      guard Target.isSerial(text) else { throw object.wrong("serial", Target.serialForm, text) }
      return .certificate(serial: text, issuer: issuer)
    case "sha256":
      guard let digest = Digest(.sha256, hex: text) else {
        throw object.wrong("sha256", "64 lower-case digits", text)
      }
      return .sha256(digest)
    case "fsverity":
      guard let digest = FSVerityDigest(text) else { throw object.wrong("fsverity", "sha256: and 64 digits", text) }
      return .fsverity(digest)
    case "sequence": return .sequence(try object.module("module"), try object.sequence("sequence"))
    default:
      guard let range = VersionRange(text) else {
        throw object.wrong("versions", "a range such as >=1.2.0 <1.4.3", text)
      }
      return .versions(try object.module("module"), range)
    }
  }

  var json: JSONValue {
    var members: [(String, JSONValue)] = [("reason", .string(reason))]
    if let date { members.append(("date", .string("\(date)"))) }
    switch target {
    case .key(let id): members.append(("key", .string("\(id)")))
    case .certificate(let serial, let issuer):
      members.append(("serial", .string(serial)))
      if let issuer { members.append(("issuer", .string(issuer))) }
    case .sha256(let digest): members.append(("sha256", .string(digest.hex)))
    case .fsverity(let digest): members.append(("fsverity", .string("\(digest)")))
    case .sequence(let module, let number):
      members += [("module", .string("\(module)")), ("sequence", .integer(number))]
    case .versions(let module, let range):
      members += [("module", .string("\(module)")), ("versions", .string("\(range)"))]
    }
    return JSONValue(.object(members.map { JSONValue.Member($0.0, $0.1) }))
  }
}
