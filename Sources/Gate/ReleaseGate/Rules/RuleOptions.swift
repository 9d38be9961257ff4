package import SignetBase

/// What a policy tells a rule.
package struct RuleOptions {
  /// The level of the rule's findings; nil if it is off.
  package let level: GateReport.Level?
  private var object: JSONObject?

  /// No options, and the level that does not matter.
  static let none = RuleOptions(level: nil, object: nil)

  private init(level: GateReport.Level?, object: JSONObject?) {
    self.level = level
    self.object = object
  }

  /// Reads what a policy says of a rule.
  ///
  /// - Parameters:
  ///   - value: a level, or an object; nil if the policy does not name the rule.
  ///   - parent: the object with all rules.
  init(_ value: JSONValue?, in parent: JSONObject, _ about: RuleDescription) throws(SignetError) {
    guard let value else {
      self.init(level: about.usualLevel, object: nil)
      return
    }
    if case .string(let word) = value.content {
      self.init(level: try Self.level(word, parent, about.id), object: nil)
      return
    }
    var object = try parent.child(value, about.id)
    let word = try object.optionalString("level")
    // A policy that gives a rule options wants it to be in force.
    let usual = about.usualLevel ?? .error
    self.init(
      level: try word.map { (word) throws(SignetError) in try Self.level(word, object, "level") } ?? usual,
      object: object)
  }

  private static func level(
    _ word: String, _ object: JSONObject, _ name: String
  ) throws(SignetError) -> GateReport.Level? {
    if word.isExactly("off") { return nil }
    guard let level = GateReport.Level.allCases.first(where: { $0.description.isExactly(word) }) else {
      throw object.wrong(name, "off, warning or error", word)
    }
    return level
  }

  /// Takes a whole number of at least 1.
  package mutating func count(_ name: String, usually usual: Int) throws(SignetError) -> Int {
    guard object?.has(name) ?? false, let number = try object?.count(name) else { return usual }
    guard number >= 1 else { throw wrong(name, "1 or more", "\(number)") }
    return number
  }

  /// Takes true or false.
  package mutating func flag(_ name: String, usually usual: Bool) throws(SignetError) -> Bool {
    try object?.optionalBool(name) ?? usual
  }

  /// Takes a time that may be missing.
  package mutating func time(_ name: String) throws(SignetError) -> UnixTime? {
    try object?.optionalTime(name) ?? nil
  }

  /// Takes a list of texts.
  package mutating func texts(_ name: String) throws(SignetError) -> [String] {
    try object?.strings(name, atMost: 1000) ?? []
  }

  /// Takes a list of patterns.
  ///
  /// - Parameter example: a pattern that a policy could have there.
  package mutating func patterns(_ name: String, like example: String) throws(SignetError) -> [PathPattern] {
    try values(name, "patterns such as \(example)") { PathPattern($0) }
  }

  /// Takes a list of texts, each of which has a meaning.
  ///
  /// - Parameters:
  ///   - expected: what the texts may be.
  ///   - meaning: what a text means; nil if it is not allowed.
  package mutating func values<Value>(
    _ name: String, _ expected: String, _ meaning: (String) -> Value?
  ) throws(SignetError) -> [Value] {
    var values: [Value] = []
    for text in try texts(name) {
      guard let value = meaning(text) else { throw wrong(name, expected, text) }
      values.append(value)
    }
    return values
  }

  /// Takes a list of objects, each with fields of its own. The rule checks that each field was taken.
  package mutating func objects(_ name: String) throws(SignetError) -> [JSONObject] {
    try object?.objects(name, atMost: 1000) ?? []
  }

  /// The error for an option with a value that it may not have. Its object is the option's place in the policy.
  private func wrong(_ name: String, _ expected: String, _ found: String) -> SignetError {
    object?.wrong(name, expected, found)
      ?? SignetError(.jsonWrongValue, name, "has an invalid value", expected: expected, found: found)
  }

  /// Checks that the rule has taken every option.
  func finish() throws(SignetError) { try object?.finish() }
}
