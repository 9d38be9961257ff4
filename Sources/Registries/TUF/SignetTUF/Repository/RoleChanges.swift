public import SignetBase

/// What a person signs, in words: the differences between the metadata that a repository has and a draft.
public struct RoleChanges: Sendable {
  /// The differences, one a line.
  public private(set) var lines: [String] = []

  /// The differences between two roots.
  ///
  /// - Parameters:
  ///   - old: nil for the first root.
  ///   - new: the root that comes after it.
  public init(from old: RootRole?, to new: RootRole) {
    version(old?.version, new.version)
    let roles: [(String, KeyPath<RootRole, KeyThreshold>)] = [
      ("root", \.root), ("targets", \.targets), ("snapshot", \.snapshot), ("timestamp", \.timestamp),
    ]
    for (name, place) in roles {
      keys(of: "role \(name)", old.map { ($0[keyPath: place], $0.keys) }, (new[keyPath: place], new.keys))
    }
    if let old, old.consistentSnapshot != new.consistentSnapshot {
      lines.append("files \(new.consistentSnapshot ? "get" : "lose") their version or hash in front of their names")
    }
    for (name, place) in roles {
      unknown("role \(name)", old?[keyPath: place].unknown, new[keyPath: place].unknown)
    }
    unknown("other roles", old?.otherRoles, new.otherRoles)
    unknown("root", old?.header.unknown, new.header.unknown)
    expiry(old?.expires, new.expires)
  }

  /// The differences between two versions of a targets role.
  ///
  /// - Parameters:
  ///   - old: nil for the first version.
  ///   - new: the version that comes after it.
  ///   - words: says what patterns mean to the application.
  ///   - fields: says what a field of a delegation means to the application, with all of its value; nil for a field that
  ///     means nothing to it, too.
  public init(
    from old: TargetsRole?, to new: TargetsRole, patterns words: ([TargetPattern]) -> String = Self.text,
    fields: (JSONValue.Member) -> String? = { _ in nil }
  ) {
    version(old?.version, new.version)
    delegations(old?.delegations, new.delegations, patterns: words, fields: fields)
    targets(old?.targets ?? [], new.targets)
    unknown("delegations", old?.delegations?.unknown, new.delegations?.unknown ?? [])
    unknown("role", old?.header.unknown, new.header.unknown)
    expiry(old?.expires, new.expires)
  }

  /// Patterns as they are.
  public static func text(_ patterns: [TargetPattern]) -> String {
    patterns.map(\.text.display).joined(separator: ", ")
  }

  private mutating func version(_ old: Int?, _ new: Int) {
    lines.append(old.map { "version \($0) becomes version \(new)" } ?? "version \(new), the first one")
  }

  private mutating func expiry(_ old: UnixTime?, _ new: UnixTime) {
    lines.append(old.map { "valid until \(new), before until \($0)" } ?? "valid until \(new)")
  }

  /// Fields that are signed though this version gives them no meaning.
  private mutating func unknown(_ object: String, _ old: [JSONValue.Member]?, _ new: [JSONValue.Member]) {
    let (before, after) = (Self.text(JSONValue(.object(old ?? []))), Self.text(JSONValue(.object(new))))
    guard !before.isExactly(after) else { return }
    lines.append("\(object): fields without a meaning here are now \(after)")
  }

  /// A value, all of it: what is not shown would be signed unseen.
  private static func text(_ value: JSONValue) -> String {
    guard let text = try? OLPCJSON.encode(value) else { return "a value without a canonical form" }
    return String(decoding: text, as: UTF8.self).visible
  }

  private mutating func keys(
    of role: String, _ old: (keys: KeyThreshold, ring: KeyRing)?, _ new: (keys: KeyThreshold, ring: KeyRing)
  ) {
    let before = old?.keys.keyIDs ?? []
    for id in new.keys.keyIDs where !before.contains(where: { $0.isExactly(id) }) {
      lines.append("\(role): key added: \(new.ring.words(for: id))")
    }
    for id in before where !new.keys.keyIDs.contains(where: { $0.isExactly(id) }) {
      lines.append("\(role): key removed: \(old?.ring.words(for: id) ?? id.display)")
    }
    if old?.keys.threshold != new.keys.threshold || old?.keys.keyIDs.count != new.keys.keyIDs.count {
      let now = "\(new.keys.threshold) of \(new.keys.keyIDs.count) keys must sign"
      let earlier = old.map { ", before \($0.keys.threshold) of \($0.keys.keyIDs.count)" } ?? ""
      lines.append("\(role): \(now)\(earlier)")
    }
  }

  private mutating func delegations(
    _ old: Delegations?, _ new: Delegations?, patterns words: ([TargetPattern]) -> String,
    fields: (JSONValue.Member) -> String?
  ) {
    let before = old?.listed ?? []
    let after = new?.listed ?? []
    for role in before where !after.contains(where: { $0.name.isExactly(role.name) }) {
      lines.append("\(role.name.display): removed; clients no longer find its targets")
    }
    for role in after {
      let name = role.name.display
      let earlier = before.first { $0.name.isExactly(role.name) }
      if earlier == nil { lines.append("\(name): added") }
      keys(
        of: name, earlier.map { ($0.keys, old?.keys ?? KeyRing()) }, (role.keys, new?.keys ?? KeyRing()))
      let (from, to) = (earlier.map { $0.scopeWords(words) }, role.scopeWords(words))
      if from.map({ !$0.isExactly(to) }) ?? true {
        lines.append("\(name): may offer \(to)" + (from.map { ", before \($0)" } ?? ""))
      }
      if let earlier, earlier.isTerminating != role.isTerminating {
        lines.append(
          role.isTerminating
            ? "\(name): no later role is asked for its paths" : "\(name): later roles are asked for its paths, too")
      }
      let (was, now) = (earlier?.unknown.compactMap(fields) ?? [], role.unknown.compactMap(fields))
      for line in now where !was.contains(where: { $0.isExactly(line) }) { lines.append("\(name): \(line)") }
      for line in was where !now.contains(where: { $0.isExactly(line) }) {
        lines.append("\(name): no longer: \(line)")
      }
      unknown(name, earlier?.unknown.filter { fields($0) == nil }, role.unknown.filter { fields($0) == nil })
    }
    let order = before.map(\.name).filter { name in after.contains { $0.name.isExactly(name) } }
    let newOrder = after.map(\.name).filter { name in before.contains { $0.name.isExactly(name) } }
    if !zip(order, newOrder).allSatisfy({ $0.isExactly($1) }) {
      lines.append("roles are asked in another order: \(after.map(\.name.display).joined(separator: ", "))")
    }
    if case .succinct(let bins)? = new?.roles {
      var earlier: SuccinctRoles?
      if case .succinct(let bins)? = old?.roles { earlier = bins }
      let isSame = earlier.map { $0.bitLength == bins.bitLength && $0.namePrefix.isExactly(bins.namePrefix) }
      if isSame != true {
        lines.append("targets are distributed among \(bins.binCount) bins called \(bins.namePrefix.display)-…")
      }
      keys(
        of: "bins", earlier.map { ($0.keys, old?.keys ?? KeyRing()) }, (bins.keys, new?.keys ?? KeyRing()))
    } else if case .succinct? = old?.roles {
      lines.append("targets are no longer distributed among bins")
    }
  }

  private mutating func targets(_ old: [TargetFile], _ new: [TargetFile]) {
    let before = Dictionary(old.map { (Array($0.path.utf8), $0) }) { $1 }
    let after = Set(new.map { Array($0.path.utf8) })
    let added = new.filter { before[Array($0.path.utf8)] == nil }
    for target in added {
      let description = target.custom.map { ", described as \(Self.text($0))" } ?? ""
      lines.append("target added: \(target.path.visible)\(description)")
      unknown("target \(target.path.visible)", nil, target.unknown)
    }
    lines += old.filter { !after.contains(Array($0.path.utf8)) }.map { "target removed: \($0.path.visible)" }
    for target in new {
      guard let earlier = before[Array(target.path.utf8)] else { continue }
      let changes = [
        earlier.length == target.length && earlier.hashes.isSame(as: target.hashes) ? nil : "other bytes",
        Self.description(earlier.custom, target.custom),
      ].compactMap(\.self)
      if !changes.isEmpty {
        lines.append("target changed: \(target.path.visible): \(changes.joined(separator: ", "))")
      }
      unknown("target \(target.path.visible)", earlier.unknown, target.unknown)
    }
  }

  /// How the publisher's own description of a target changes; nil if it does not.
  private static func description(_ old: JSONValue?, _ new: JSONValue?) -> String? {
    let (before, after) = (old.map(text), new.map(text))
    guard let after else { return before == nil ? nil : "no longer described" }
    return before?.isExactly(after) ?? false ? nil : "now described as \(after)"
  }
}

extension Delegations {
  /// The roles of a list; none for bins.
  fileprivate var listed: [DelegatedRole] { if case .listed(let roles) = roles { roles } else { [] } }
}

extension DelegatedRole {
  fileprivate func scopeWords(_ words: ([TargetPattern]) -> String) -> String {
    switch scope {
    case .paths(let patterns): words(patterns)
    case .hashPrefixes(let prefixes):
      "paths whose hash begins with \(prefixes.map(\.display).joined(separator: ", "))"
    case .none: "nothing"
    }
  }
}

extension KeyRing {
  /// A key for people: its kind, and the fingerprint that `signet keygen` and `ssh-keygen -l` show.
  func words(for id: String) -> String {
    guard case .verifies(let key, _)? = try? key(id) else { return id.display }
    return "\(key)"
  }
}
