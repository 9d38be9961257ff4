@testable import SignetBase
@testable import SignetNames
@testable import SignetTUF

/// Metadata of The Update Framework that the fuzzer makes up.
enum FedMetadata {
  /// What is accepted can be written, and reads as the same role; what was signed stays what was signed.
  static func feed<Role: MetadataRole>(_ type: Role.Type, _ bytes: [UInt8], _ use: (Role) -> Void = { _ in }) {
    guard let file = try? UnverifiedMetadata<Role>(bytes), let read = try? file.uncheckedRole() else { return }
    guard let text = try? MetadataDraft(continuing: file).bytes(), let again = try? UnverifiedMetadata<Role>(text)
    else {
      return require(false, "accepted metadata cannot be written and read")
    }
    require(again.message == file.message, "what is signed has changed")
    guard let signed = try? OLPCJSON.encode(file.uncheckedRole().json),
      let role = try? Role(json: file.uncheckedRole().json)
    else { return require(false, "an accepted role cannot be written and read") }
    require((try? OLPCJSON.encode(role.json)) == signed, "a role has changed")
    use(read)
  }

  /// The keys of a root can be looked at, and nobody is found to have signed.
  static func feedRoot(_ bytes: [UInt8]) {
    feed(RootRole.self, bytes) { root in
      for entry in root.keys.entries { _ = try? root.keys.key(entry.name) }
      let file = try? UnverifiedMetadata<RootRole>(bytes)
      _ = try? file?.verified(by: root.rootAuthority)
    }
  }

  /// A target is found under its own path, and each delegated path leads to roles that the file names.
  static func feedTargets(_ bytes: [UInt8]) {
    feed(TargetsRole.self, bytes) { role in
      for target in role.targets { require(role.target(target.path) != nil, "a target is not found") }
      guard let delegations = role.delegations else { return }
      for text in ["a", "a/b", ""] + role.targets.prefix(3).map(\.path) {
        guard let path = try? TargetPath(text) else { continue }
        for step in delegations.steps(for: path) {
          require(delegations.authority(of: step.role) != nil, "a step leads to a role that is not named")
        }
      }
    }
  }

  /// Each value has one canonical text, and the readable text is of the same value.
  static func feedCanonical(_ bytes: [UInt8]) {
    let limits = JSONLimits(size: 1 << 16, depth: 16, values: 5000)
    guard let value = try? JSONReader.read(bytes, limits: limits), let text = try? OLPCJSON.encode(value) else {
      return
    }
    guard let readable = try? ReadableJSON.write(value), let again = try? JSONReader.read(readable, limits: .payload)
    else { return require(false, "a value cannot be written and read") }
    require((try? OLPCJSON.encode(again)) == text, "canonical text changed")
    // A path that is encoded is one name, and decodes to itself.
    let name = String(decoding: bytes, as: UTF8.self)
    let encoded = PercentEncoding.fileName(name)
    require(!encoded.utf8.contains(UInt8(ascii: "/")), "a file name leads to another folder")
    require(PercentEncoding.decode(encoded)?.utf8.elementsEqual(name.utf8) == true, "a name changed")
  }
}
