public import SignetBase

extension ModuleDescription {
  /// The description as it stands in a statement; what is empty or false is left out.
  public var json: JSONValue {
    Self.json(
      identifier, version, sequence, binaries, principal, routes, targets, services, resources, permissions,
      requirements, isEmbedded)
  }

  static func json(
    _ identifier: ModuleIdentifier, _ version: SemanticVersion, _ sequence: Int,
    _ binaries: [ModulePlatform: Binary], _ principal: String?, _ routes: [String], _ targets: [Target],
    _ services: [String], _ resources: [String], _ permissions: [String], _ requirements: Requirements,
    _ isEmbedded: Bool
  ) -> JSONValue {
    let platforms = binaries.sorted { $0.key.rawValue < $1.key.rawValue }
    return .object(
      ("identifier", .string("\(identifier)")), ("version", .string("\(version)")),
      ("sequence", .integer(sequence)),
      ("binary", named(platforms.map { JSONValue.Member($0.key.rawValue, $0.value.json) })),
      ("principal", principal.map { .string($0) }), ("routes", list(routes)),
      ("targets", named(targets.map { JSONValue.Member($0.name, .array($0.actions.map(\.json))) })),
      ("services", list(services)), ("resources", list(resources)), ("permissions", list(permissions)),
      ("requires", requirements.json), ("embedded", isEmbedded ? JSONValue(.bool(true)) : nil))
  }

  fileprivate static func list(_ texts: [String]) -> JSONValue? {
    texts.isEmpty ? nil : .array(texts.map { .string($0) })
  }

  private static func named(_ members: [JSONValue.Member]) -> JSONValue? {
    members.isEmpty ? nil : JSONValue(.object(members))
  }
}

extension ModuleDescription.Binary {
  fileprivate var json: JSONValue {
    .object(
      ("path", .string(path)), ("needed", ModuleDescription.list(needed)),
      ("libraries", ModuleDescription.list(libraries)))
  }
}

extension ModuleDescription.Action {
  fileprivate var json: JSONValue {
    isLocal ? .object(("name", .string(name)), ("local", JSONValue(.bool(true)))) : .string(name)
  }
}

extension ModuleDescription.Requirements {
  fileprivate var json: JSONValue? {
    guard host != nil || !modules.isEmpty else { return nil }
    let modules = modules.map { module -> JSONValue in
      .object(("identifier", .string("\(module.identifier)")), ("versions", .string("\(module.versions)")))
    }
    return .object(
      ("host", host.map { .string("\($0)") }), ("modules", modules.isEmpty ? nil : .array(modules)))
  }
}
