import MGJRouterFace
import PluginKit
import TestSupport

/// What did not hold.
struct BrokenProperty: Error, CustomStringConvertible {
  let description: String
}

/// Ends a trial when something does not hold.
func hold(_ holds: Bool, _ what: @autoclosure () -> String) throws {
  if !holds { throw BrokenProperty(description: what()) }
}

/// A host and two modules with MGJRouter's calls, beside a slow model of it, and what must hold for both.
final class MGJTrial {
  private static let defaultScheme = "mgj"
  private static let schemes = ["mgj", "x-1"]

  /// A pattern of the trial, and which modules declare it, without and with what is below.
  private struct Pattern {
    let scheme: String
    let parts: [SlowMGJRouter.Part]
    let declared: [(itself: Bool, below: Bool)]

    var place: [SlowMGJRouter.Part] { [.text(Array(scheme.utf8))] + parts.map(\.place) }
  }

  private var random: SeededRandom
  private var slow = SlowMGJRouter()
  private let switchboard = Switchboard(defaultScheme: defaultScheme)
  private var routers: [MGJRouter] = []
  private var patterns: [Pattern] = []
  private let calls = Calls()
  private var nextNumber = 0

  init(seed: UInt64) { random = SeededRandom(seed) }

  func run(steps: Int) throws {
    for _ in 0..<(2 + random.below(8)) {
      patterns.append(
        Pattern(
          scheme: random.one(of: Self.schemes), parts: parts(),
          declared: (0..<2).map { _ in (!random.once(in: 4), !random.once(in: 4)) }))
    }
    // The scheme's own handler is in most trials.
    if !random.once(in: 3) {
      patterns.append(Pattern(scheme: "mgj", parts: [], declared: [(true, true), (false, true)]))
    }
    routers = [MGJRouter(switchboard)]
    for module in 1...2 { routers.append(MGJRouter(try context(of: module))) }
    for _ in 0..<steps {
      switch random.below(20) {
      case 0..<6: try register()
      case 6: try deregister()
      case 7 where random.once(in: 4): try removeModule()
      default: try look()
      }
    }
  }

  private func context(of module: Int) throws -> ModuleContext {
    var routes: [String] = []
    for pattern in patterns {
      let (itself, below) = pattern.declared[module - 1]
      if itself { routes.append(MGJTexts.declaration(pattern.scheme, pattern.parts, andBelow: false)) }
      if below, pattern.parts.last != .rest {
        routes.append(MGJTexts.declaration(pattern.scheme, pattern.parts, andBelow: true))
      }
    }
    return switchboard.context(for: try ModuleDeclaration(identifier: "com.example.m\(module)", routes: routes))
  }

  private func parts() -> [SlowMGJRouter.Part] {
    var parts = (0..<random.below(4)).map { _ -> SlowMGJRouter.Part in
      random.once(in: 3)
        ? .value(name: random.one(of: MGJTexts.names), suffix: random.one(of: MGJTexts.suffixes))
        : .text(random.one(of: MGJTexts.parts))
    }
    // Alone it is the scheme's handler, which is another pattern.
    if !parts.isEmpty, random.once(in: 4) { parts.append(.rest) }
    return parts
  }

  /// Whether a module declares a pattern, perhaps by another pattern for the same URLs.
  private func declares(_ module: Int, _ place: [SlowMGJRouter.Part]) -> Bool {
    patterns.contains { pattern in
      let (itself, below) = pattern.declared[module - 1]
      if itself, pattern.place == place { return true }
      // A tail that may be empty covers one that needs a part.
      return below && pattern.parts.last != .rest && pattern.place + [.rest] == place
    }
  }

  // MARK: Changes

  private func register() throws {
    let pattern = random.one(of: patterns)
    let route = SlowMGJRouter.Route(
      number: nextNumber, owner: random.one(of: [0, 1, 2]), scheme: pattern.scheme, parts: pattern.parts,
      allowsFallback: !random.once(in: 5), isObject: random.once(in: 4))
    nextNumber += 1
    let text = MGJTexts.pattern(route.scheme, route.parts, defaultScheme: Self.defaultScheme, &random)
    let error = register(route, text)
    let needsBelow = route.allowsFallback && route.parts.last != .rest
    let expected: PluginError.Code? =
      if Set(route.names).count < route.names.count {
        .patternDuplicateName
      } else if route.owner != 0,
        !declares(route.owner, route.place) || needsBelow && !declares(route.owner, route.place + [.rest])
      {
        .routeUndeclared
      } else if !slow.register(route) {
        .routeConflict
      } else {
        nil
      }
    try hold(
      error?.code == expected,
      "\(text) of \(route.owner): \(error?.description ?? "registered"), not \(expected as Any)")
  }

  private func register(_ route: SlowMGJRouter.Route, _ text: String) -> PluginError? {
    let router = routers[route.owner]
    let name = "\(route.number)"
    do throws(PluginError) {
      if route.isObject {
        try router.registerURLPattern(
          text, allowsFallback: route.allowsFallback,
          toObjectHandler: { [calls] in
            calls.add(name, $0)
            return name
          })
      } else {
        try router.registerURLPattern(text, allowsFallback: route.allowsFallback) { [calls] in calls.add(name, $0) }
      }
      return nil
    } catch { return error }
  }

  private func deregister() throws {
    let pattern = random.one(of: patterns)
    let owner = random.below(3)
    let text = MGJTexts.pattern(pattern.scheme, pattern.parts, defaultScheme: Self.defaultScheme, &random)
    let isGone = routers[owner].deregisterURLPattern(text)
    try hold(isGone == slow.deregister(pattern.place, of: owner), "\(text) of \(owner) is removed: \(isGone)")
    try hold(switchboard.table.count == slow.routes.count, "\(switchboard.table) after \(text) was removed")
  }

  /// A module goes, and its next release comes.
  private func removeModule() throws {
    let module = 1 + random.below(2)
    let old = routers[module]
    switchboard.removeAll(ownedBy: .module("com.example.m\(module)"))
    slow.removeAll(of: module)
    try hold(switchboard.table.count == slow.routes.count, "\(switchboard.table) after \(module) was removed")
    switchboard.readmit(module: "com.example.m\(module)")
    routers[module] = MGJRouter(try context(of: module))
    for pattern in patterns where declares(module, pattern.place) {
      let text = MGJTexts.pattern(pattern.scheme, pattern.parts, defaultScheme: Self.defaultScheme, &random)
      var code: PluginError.Code?
      do throws(PluginError) { try old.registerURLPattern(text, allowsFallback: false) { _ in } } catch {
        code = error.code
      }
      try hold(code == .moduleRemoved || code == .patternDuplicateName, "\(text) of the old release: \(code as Any)")
    }
  }

  // MARK: URLs

  /// A URL near one of the patterns, and its text.
  private func url() -> (SlowMGJRouter.URL, String) {
    let pattern = random.one(of: patterns)
    var parts: [[UInt8]] = pattern.parts.map { part in
      switch part {
      case .text(let text): text
      case .value(_, let suffix): random.one(of: MGJTexts.parts) + suffix
      case .rest: random.one(of: MGJTexts.parts)
      }
    }
    switch random.below(8) {
    case 0 where !parts.isEmpty: parts.removeLast()
    case 1 where !parts.isEmpty: parts[random.below(parts.count)] = random.one(of: MGJTexts.parts)
    case 2, 3: parts += (0...random.below(2)).map { _ in random.one(of: MGJTexts.parts) }
    case 4: parts.insert(random.one(of: MGJTexts.parts), at: random.below(parts.count + 1))
    default: break
    }
    let query = (0..<random.below(4)).map { _ -> (name: [UInt8], value: [UInt8]?) in
      (Array(random.one(of: MGJTexts.queryNames).utf8), random.once(in: 5) ? nil : random.one(of: MGJTexts.parts))
    }
    let url = SlowMGJRouter.URL(scheme: pattern.scheme, parts: parts, query: query)
    return (url, text(url))
  }

  private func text(_ url: SlowMGJRouter.URL) -> String {
    let isBare = url.scheme == Self.defaultScheme && !url.parts.isEmpty && random.once(in: 6)
    let path = url.parts.map { MGJTexts.written($0, reserved: isBare ? "/?#:" : "/?#", &random) }
    var text = isBare ? "" : MGJTexts.written(scheme: url.scheme, &random) + "://"
    text += path.joined(separator: "/") + (!url.parts.isEmpty && random.once(in: 6) ? "/" : "")
    if !url.query.isEmpty {
      text += "?"
      let items = url.query.map { name, value in
        MGJTexts.written(name, reserved: "&=#+", &random)
          + (value.map { "=" + MGJTexts.written($0, reserved: "&#+", &random) } ?? "")
      }
      text += items.joined(separator: "&")
    }
    return text + (random.once(in: 8) ? "#y://a" : "")
  }

  private func look() throws {
    let (url, text) = url()
    let router = routers[random.below(3)]
    let (best, exact) = (slow.match(url, object: false), slow.match(url, object: false, exactly: true))
    try hold(router.canOpenURL(text) == (best != nil), "\(text) can be opened or not: \(described)")
    try hold(router.canOpenURL(text, matchExactly: true) == (exact != nil), "\(text) exactly or not: \(described)")
    let object = random.once(in: 3)
    let expected = object ? slow.match(url, object: true) : best
    let before = calls.count
    let answer: String?
    if object {
      answer = router.object(forURL: text, withUserInfo: ["id": 7]) as? String
    } else {
      let error = router.openURL(text, withUserInfo: ["id": 7])
      try hold(error.map { $0.code == .routeNotFound } != false, "\(text): \(error?.description ?? "")")
      answer = error == nil ? calls.names.last : nil
    }
    let wanted = expected.map { "\($0.route.number)" }
    try hold(
      answer == wanted && calls.count == before + (expected == nil ? 0 : 1),
      "\(text), \(object ? "object" : "open"): \(answer ?? "nothing") instead of \(wanted ?? "nothing"): \(described)"
    )
    guard let expected, let parameters = calls.last else { return }
    try compare(parameters, expected.route.values(url), url, text)
    try hold(parameters.isFallback == expected.isFallback, "\(text) is a fallback: \(parameters.isFallback)")
  }

  private func compare(
    _ parameters: MGJRouterParameters, _ path: [String: [UInt8]], _ url: SlowMGJRouter.URL, _ text: String
  ) throws {
    try hold(
      parameters.path.count == path.count && path.allSatisfy { same(parameters.path[$0], $1) },
      "\(text) has \(parameters.path)")
    var query: [String: [UInt8]] = [:]
    for (name, value) in url.query { if let value { query[String(decoding: name, as: UTF8.self)] = value } }
    try hold(
      parameters.query.count == query.count && query.allSatisfy { same(parameters.query[$0], $1) },
      "\(text) has the query \(parameters.query)")
    var merged = query.merging(path) { $1 }
    merged[MGJRouterParameterURL] = Array(text.utf8)
    merged[MGJRouterParameterUserInfo] = nil
    for name in MGJTexts.names + MGJTexts.queryNames where name != MGJRouterParameterUserInfo {
      try hold(same(parameters[name] as? String, merged[name]), "\(text) has \(parameters[name] ?? "no") \(name)")
    }
    let dictionary = parameters.dictionary
    try hold(Set(dictionary.keys) == Set(merged.keys).union([MGJRouterParameterUserInfo]), "\(text): \(dictionary)")
    let userInfo = parameters[MGJRouterParameterUserInfo] as? [String: any Sendable]
    try hold(userInfo?.count == 1 && userInfo?["id"] as? Int == 7, "\(text) has the values \(userInfo as Any)")
  }

  private func same(_ text: String?, _ bytes: [UInt8]?) -> Bool { text.map { Array($0.utf8) } == bytes }

  private var described: String {
    switchboard.router.routes.map { "\($0.pattern.text) of \($0.owner)\($0.allowsFallback ? ", fallback" : "")" }
      .joined(separator: "; ")
  }
}
