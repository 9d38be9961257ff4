internal import SignetBase

/// The lines that say what changed in an artifact.
///
/// Texts from artifacts are written so that each stays in its line, and a name with a space stays one word.
package struct DetailLines {
  /// The maximum number of lines about one artifact.
  static let limit = 200

  private var kept: [String] = []
  private var omitted = 0

  /// Begins without lines.
  package init() {}

  /// The lines, with one more that says how many are left out.
  package var lines: [String] {
    guard omitted > 0 else { return kept }
    return kept + ["and \(Amount.of(omitted, "more difference", "more differences"))"]
  }

  /// Adds a line as it is.
  package mutating func add(_ line: @autoclosure () -> String) {
    guard kept.count < Self.limit else {
      omitted += 1
      return
    }
    kept.append(line())
  }

  /// Adds the change of a value, if it has changed.
  package mutating func add(_ noun: String, _ old: String?, _ new: String?) {
    switch (old, new) {
    case (let old?, let new?): if !old.isExactly(new) { add("~ \(noun) \(old.visible) to \(new.visible)") }
    case (let old?, nil): add("- \(noun) \(old.visible)")
    case (nil, let new?): add("+ \(noun) \(new.visible)")
    case (nil, nil): break
    }
  }

  /// Adds what was added to a list of texts, and what was removed from it.
  package mutating func add(_ noun: String, _ old: [String], _ new: [String]) {
    add(old.map { (name: $0, value: "") }, new.map { (name: $0, value: "") }) { name, _ in
      "\(noun) \(name.visible)"
    }
  }

  /// Adds what was added to a list of named values, what was removed from it, and what has another value.
  ///
  /// - Parameter words: the words for a name and its value; both are exact texts.
  mutating func add(
    _ old: [(name: String, value: String)], _ new: [(name: String, value: String)],
    _ words: (_ name: String, _ value: String) -> String
  ) {
    let oldSorted = old.sorted { $0.name.precedesInBytes($1.name) }
    let newSorted = new.sorted { $0.name.precedesInBytes($1.name) }
    forEachPair(oldSorted, newSorted, by: { $0.name }) { old, new in
      switch (old, new) {
      case (let old?, let new?):
        if !old.value.isExactly(new.value) {
          add("~ \(words(old.name, old.value)) to \(new.value.visible)")
        }
      case (let old?, nil): add("- \(words(old.name, old.value))")
      case (nil, let new?): add("+ \(words(new.name, new.value))")
      case (nil, nil): break
      }
    }
  }
}

/// Goes through two sorted lists at once, and calls `body` with the elements of each name.
package func forEachPair<Element>(
  _ old: [Element], _ new: [Element], by name: (Element) -> String, _ body: (Element?, Element?) -> Void
) {
  var (left, right) = (0, 0)
  while left < old.count || right < new.count {
    guard left < old.count, right < new.count else {
      body(left < old.count ? old[left] : nil, right < new.count ? new[right] : nil)
      left += 1
      right += 1
      continue
    }
    let (one, other) = (name(old[left]), name(new[right]))
    if one.isExactly(other) {
      body(old[left], new[right])
      left += 1
      right += 1
    } else if one.precedesInBytes(other) {
      body(old[left], nil)
      left += 1
    } else {
      body(nil, new[right])
      right += 1
    }
  }
}

extension String {
  /// The text as one word of a line: in quotation marks if it has a space or such a mark.
  var word: String {
    guard utf8.contains(UInt8(ascii: " ")) || utf8.contains(UInt8(ascii: "\"")) else { return visible }
    var word = "\"".unicodeScalars
    for scalar in visible.unicodeScalars {
      if scalar == "\"" { word.append(contentsOf: "\\u{22}".unicodeScalars) } else { word.append(scalar) }
    }
    word.append("\"")
    return String(word)
  }
}
