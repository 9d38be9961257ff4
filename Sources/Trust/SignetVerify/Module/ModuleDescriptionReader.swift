public import SignetBase

extension ModuleDescription {
  /// The maximum number of elements in a list. A large application declares some hundred routes.
  private static let listLimit = 1000
  /// The maximum number of targets, and of actions in a target. The size of the whole text bounds their product, too.
  private static let targetLimit = 200

  /// Reads a description's JSON text as people write it, which need not be canonical (docs/module.schema.json).
  ///
  /// - Throws: `module.malformed`, `module.unknown-field`, and `path.…` for a path that no entry may have. The
  ///   error's object gives line and column.
  public init(json bytes: [UInt8]) throws(SignetError) {
    do throws(SignetError) {
      let value = try JSONReader.read(bytes, limits: .moduleDescription)
      try self.init(reading: JSONObject(value, "module", unknownField: .moduleUnknownField, in: bytes))
    } catch  where Set.aboutJSON.contains(error.code) {
      throw SignetError(
        .moduleMalformed, error.object, error.message, expected: error.expected, found: error.found,
        cause: error.cause, hint: "docs/format.md, section 10, describes the format")
    }
  }

  /// Reads the description in a statement, which must be in canonical form.
  ///
  /// - Throws: `json.wrong-value`, `json.missing-field`, `path.…`, and the object's code for unknown fields.
  package init(_ object: JSONObject) throws(SignetError) {
    try self.init(reading: object)
    guard text == (try CanonicalJSON.write(object.value)) else {
      throw SignetError(
        .jsonWrongValue, object.place, "has a value that must be left out, because it is the default",
        expected: "no empty lists and no false values")
    }
  }

  private init(reading object: JSONObject) throws(SignetError) {
    var object = object
    identifier = try object.module("identifier")
    let versionText = try object.string("version")
    guard let version = SemanticVersion(versionText) else {
      throw object.wrong("version", "a version such as 1.4.2", versionText)
    }
    self.version = version
    sequence = try object.sequence("sequence")
    let binaries = try Self.binaries(&object)
    self.binaries = binaries
    principal = try Self.principal(&object, isThere: !binaries.isEmpty)
    routes = try object.texts("routes", atMost: Self.listLimit, ModuleText.pattern)
    targets = try Self.targets(&object)
    services = try object.texts("services", atMost: Self.listLimit, ModuleText.name)
    pages = try Pages(reading: &object)
    resources = try object.paths("resources", atMost: Self.listLimit)
    permissions = try object.texts("permissions", atMost: Self.targetLimit, ModuleText.permission)
    requirements = try Self.requirements(&object, of: identifier)
    isEmbedded = try object.optionalBool("embedded") ?? false
    try object.finish()
    text = try CanonicalJSON.write(
      Self.json(
        identifier, version: version, sequence: sequence, binaries: binaries, principal: principal, routes: routes,
        targets: targets, services: services, pages: pages, resources: resources,
        permissions: permissions, requirements: requirements, isEmbedded: isEmbedded))
  }

  private static func binaries(_ object: inout JSONObject) throws(SignetError) -> [ModulePlatform: Binary] {
    guard var list = try object.optionalObject("binary") else { return [:] }
    guard !list.names.isEmpty else { throw object.wrong("binary", "one platform or more", "none") }
    var binaries: [ModulePlatform: Binary] = [:]
    for platform in ModulePlatform.all {
      guard var each = try list.optionalObject(platform.rawValue) else { continue }
      let path = try each.entryPath("path")
      let needed = try each.texts("needed", atMost: targetLimit, ModuleText.library)
      let libraries = try each.paths("libraries", atMost: targetLimit)
      guard !libraries.contains(where: { $0.isExactly(path) }) else {
        throw each.wrong("libraries", "other files than the binary", path)
      }
      try each.finish()
      binaries[platform] = Binary(path: path, needed: needed, libraries: libraries)
    }
    try list.finish()
    return binaries
  }

  private static func principal(_ object: inout JSONObject, isThere: Bool) throws(SignetError) -> String? {
    guard isThere else {
      guard !object.has("principal") else {
        throw object.wrong("principal", "none, since there is no binary", "one")
      }
      return nil
    }
    let symbol = try object.string("principal")
    guard ModuleText.symbol.allows(symbol) else {
      throw object.wrong("principal", ModuleText.symbol.meaning, symbol)
    }
    return symbol
  }

  private static func targets(_ object: inout JSONObject) throws(SignetError) -> [Target] {
    guard var list = try object.optionalObject("targets") else { return [] }
    guard list.names.count <= targetLimit else {
      throw object.wrong("targets", "at most \(targetLimit) targets", "\(list.names.count)")
    }
    var targets: [Target] = []
    for name in list.names.sorted(by: { $0.precedesInBytes($1) }) {
      guard ModuleText.name.allows(name) else { throw list.wrong(name, ModuleText.name.meaning, name) }
      targets.append(Target(name: name, actions: try actions(name, of: &list)))
    }
    return targets
  }

  private static func actions(_ target: String, of list: inout JSONObject) throws(SignetError) -> [Action] {
    let elements = try list.array(target)
    guard (1...targetLimit).contains(elements.count) else {
      throw list.wrong(target, "1 to \(targetLimit) actions", "\(elements.count)")
    }
    var actions: [Action] = []
    var names: Set<String> = []
    for (index, element) in elements.enumerated() {
      let action = try action(element, index, of: target, list)
      guard names.insert(action.name).inserted else {
        throw list.twice(target, at: index, element, found: action.name)
      }
      actions.append(action)
    }
    return actions
  }

  /// Reads an action: a name, or an object with a name and optionally `local`.
  private static func action(
    _ element: JSONValue, _ index: Int, of target: String, _ list: JSONObject
  ) throws(SignetError) -> Action {
    let action: Action
    switch element.content {
    case .string(let name): action = Action(name: name, isLocal: false)
    default:
      var object = try list.child(element, "\(target)[\(index)]")
      action = Action(name: try object.string("name"), isLocal: try object.optionalBool("local") ?? false)
      try object.finish()
    }
    guard ModuleText.name.allows(action.name) else {
      throw list.wrong(target, at: index, element, expected: ModuleText.name.meaning, found: action.name)
    }
    return action
  }

  private static func requirements(
    _ object: inout JSONObject, of identifier: ModuleIdentifier
  ) throws(SignetError) -> Requirements {
    guard var each = try object.optionalObject("requires") else { return Requirements(host: nil, modules: []) }
    let host = each.has("host") ? try each.versions("host") : nil
    var modules: [ModuleRequirement] = []
    var known: Set<ModuleIdentifier> = [identifier]
    for var other in try each.objects("modules", atMost: targetLimit) {
      let name = try other.module("identifier")
      guard known.insert(name).inserted else {
        throw other.wrong("identifier", "another module, each once", "\(name)")
      }
      modules.append(ModuleRequirement(name, try other.versions("versions")))
      try other.finish()
    }
    try each.finish()
    return Requirements(host: host, modules: modules)
  }
}
