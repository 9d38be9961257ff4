import Foundation

/// CTMediator as its authors wrote it, with the defects mended: classes have names, and what is cached has the names of
/// classes.
struct SlowMediator {
  /// The methods of each class, without `notFound:`.
  var classes: [String: Set<String>] = [:]
  /// The classes that have `notFound:`.
  var withFallback: Set<String> = []
  /// The methods that the signed description of each class declares: a URL reaches nothing else.
  var declared: [String: Set<String>] = [:]
  /// What only code may call.
  var local: [String: Set<String>] = [:]
  private(set) var cached: [String: Int] = [:]
  private var made = 0

  /// What a call gives.
  enum Outcome: Equatable, CustomStringConvertible {
    /// The class, the number of the instance if it is cached, the method, and the parameters.
    case called(String, cached: Int?, String, [String: String])
    case nothing
    case refused

    var description: String {
      switch self {
      case .called(let name, let cached, let method, let params):
        "\(name)#\(cached.map { "\($0)" } ?? "new").\(method) \(params.sorted { $0.key < $1.key })"
      case .nothing: "nothing"
      case .refused: "refused"
      }
    }
  }

  static func className(_ target: String, _ module: String?) -> String {
    if let module, !module.isEmpty { "\(module).Target_\(target)" } else { "Target_\(target)" }
  }

  mutating func perform(_ target: String?, _ action: String?, _ params: [String: String], caches: Bool) -> Outcome {
    guard let target, let action else { return .nothing }
    let name = Self.className(target, params["kCTMediatorParamsKeySwiftTargetModuleName"])
    guard let methods = classes[name] else { return .nothing }
    let method = "Action_\(action):"
    guard methods.contains(method) || withFallback.contains(name) else { return .nothing }
    if caches, cached[name] == nil {
      made += 1
      cached[name] = made
    }
    return .called(name, cached: cached[name], methods.contains(method) ? method : "notFound:", params)
  }

  mutating func release(_ fullName: String) { cached[fullName] = nil }

  mutating func remove(_ name: String) {
    classes[name] = nil
    withFallback.remove(name)
    declared[name] = nil
    local[name] = nil
    cached[name] = nil
  }

  /// A call by URL: the query is cut off first, then each part is split off and decoded once.
  mutating func open(_ url: String) -> Outcome {
    let before = url.prefix { $0 != "?" && $0 != "#" }
    // A fragment that comes first ends where the query begins; otherwise the query ends where the fragment begins.
    let after = url[before.endIndex...]
    let query = after.hasPrefix("#") ? after.drop { $0 != "?" }.dropFirst() : after.dropFirst().prefix { $0 != "#" }
    guard let place = before.range(of: "://") else { return .nothing }
    var parts = before[place.upperBound...].split(separator: "/", omittingEmptySubsequences: false).map {
      $0.removingPercentEncoding ?? String($0)
    }
    if parts.last == "" { parts.removeLast() }
    guard !parts.dropFirst().contains("") else { return .nothing }
    var params: [String: String] = [:]
    for item in query.split(separator: "&") {
      let sides = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        $0.replacing("+", with: " ").removingPercentEncoding ?? String($0)
      }
      if sides[0].hasPrefix("kCTMediator") || sides[0].hasPrefix("signet.") { return .refused }
      if sides.count == 2 { params[sides[0]] = sides[1] }
    }
    guard parts.count == 2, !parts[0].isEmpty, !parts[0].contains("."), !parts[1].lowercased().hasPrefix("native"),
      Self.isName(parts[0]), Self.isName(parts[1]),
      local[Self.className(parts[0], nil)]?.contains("Action_\(parts[1]):") != true
    else { return .refused }
    guard declared[Self.className(parts[0], nil)]?.contains("Action_\(parts[1]):") == true else { return .nothing }
    return perform(parts[0], parts[1], params, caches: false)
  }

  private static func isName(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 < 0x80 } && text.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_.\-]*/) != nil
  }
}
