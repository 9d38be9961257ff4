package import SignetBase

/// What one rule has found about one artifact, or about the release.
package struct RuleFindings: Sendable {
  private let rule: String
  private let level: GateReport.Level
  private let path: String?
  /// The findings, in the order in which they were noted, each with the reading of a file that it is from.
  private var noted: [(finding: GateReport.Finding, reading: Int?)] = []
  /// For each file, by the bytes of its path, how many findings are shown. The release itself has an empty path.
  private var shown: [[UInt8]: Int] = [:]
  /// The files with findings that were left out, and how many of each.
  private var omitted: [(path: String?, count: Int)] = []
  /// The place of each file in ``omitted``.
  private var places: [[UInt8]: Int] = [:]
  /// How many findings were left out that are from a reading.
  private var omittedOfReading: [Int: Int] = [:]
  /// The file whose places share the last finding, and how many of them were noted; nil if the last one is not shared.
  private var shared: (entry: String?, count: Int, isShown: Bool)?

  /// The maximum number of findings of a rule about one file. People fix the first ones, and run the gate again.
  private static let limit = 100

  /// - Parameter path: the artifact; nil for the release.
  package init(_ rule: String, _ level: GateReport.Level, about path: String?) {
    self.rule = rule
    self.level = level
    self.path = path
  }

  /// Notes what is wrong.
  ///
  /// - Parameters:
  ///   - message: what is wrong, lower case and without a period. It never contains a secret.
  ///   - other: another file than the artifact, for a rule about the release.
  ///   - entry: the entry of an archive or a directory.
  ///   - reading: the reading of a file that may be found to be allowed.
  ///   - place: the line, offset or field.
  ///   - expected: what would have been right. Each finding has this, or what was found.
  ///   - hint: what to find out or to correct next. It never says how to get around the rule; the rule's help names its
  ///     options.
  package mutating func note(
    _ message: String, about other: String? = nil, entry: String? = nil, reading: Int? = nil, place: String? = nil,
    code: String? = nil, expected: String? = nil, found: String? = nil, hint: String
  ) {
    shared = nil
    guard takes(about: other ?? path) else {
      if let reading { omittedOfReading[reading, default: 0] += 1 }
      return
    }
    let finding = GateReport.Finding(
      rule: rule, level: level, path: other ?? path, entry: entry, place: place, message: message, code: code,
      expected: expected, found: found, hint: hint)
    noted.append((finding, reading))
  }

  /// Notes an error of another part of Signet.
  ///
  /// - Parameters:
  ///   - expected: what would have been right, if the error does not say it.
  ///   - hint: what to do next, if the error does not say it.
  package mutating func note(
    _ error: SignetError, about other: String? = nil, entry: String? = nil, place: String? = nil, expected: String,
    hint: String
  ) {
    note(
      error.message, about: other, entry: entry, place: place, code: error.code.rawValue,
      expected: error.expected ?? expected, found: error.found, hint: error.hint ?? hint)
  }

  /// Notes one of several places in a file that have the same fault, one after the other. They share one finding, which
  /// shows the first place.
  ///
  /// - Parameter message: what is wrong, for the number of places.
  package mutating func noteShared(
    entry: String?, place: String? = nil, expected: String? = nil, found: String? = nil, hint: String,
    _ message: (Int) -> String
  ) {
    if var shared, Self.isSame(shared.entry, entry) {
      shared.count += 1
      self.shared = shared
      guard shared.isShown, let (last, reading) = noted.popLast() else { return }
      let finding = GateReport.Finding(
        rule: rule, level: level, path: last.path, entry: entry, place: last.place, message: message(shared.count),
        expected: last.expected, found: last.found, hint: last.hint)
      noted.append((finding, reading))
      return
    }
    let count = noted.count
    note(message(1), entry: entry, place: place, expected: expected, found: found, hint: hint)
    shared = (entry, 1, noted.count > count)
  }

  /// Takes back what was noted in a reading, because the file was found to be allowed. Another file of the same name keeps
  /// its findings.
  package mutating func withdraw(reading: Int) {
    shared = nil
    let count = noted.count
    noted.removeAll { $0.reading == reading }
    let key = path.map { Array($0.utf8) } ?? []
    shown[key] = shown[key].map { $0 - (count - noted.count) }
    if let left = omittedOfReading.removeValue(forKey: reading), let place = places[key] {
      omitted[place].count -= left
    }
  }

  private static func isSame(_ first: String?, _ second: String?) -> Bool {
    guard let first, let second else { return first == nil && second == nil }
    return first.isExactly(second)
  }

  /// Counts a finding.
  ///
  /// - Returns: whether it is shown.
  private mutating func takes(about path: String?) -> Bool {
    let key = path.map { Array($0.utf8) } ?? []
    let count = shown[key, default: 0]
    guard count >= Self.limit else {
      shown[key] = count + 1
      return true
    }
    if let place = places[key] {
      omitted[place].count += 1
    } else {
      places[key] = omitted.count
      omitted.append((path, 1))
    }
    return false
  }

  /// The findings, with one more for each file of which some were left out.
  package var all: [GateReport.Finding] {
    noted.map(\.finding)
      + omitted.filter { $0.count > 0 }.map { path, count in
        let amount = Amount.of(count, "more finding", "more findings")
        return GateReport.Finding(
          rule: rule, level: level, path: path, message: "has \(amount) of this rule",
          expected: "no findings", found: "\(Self.limit + count)",
          hint: "correct those that are shown, and check again")
      }
  }
}
