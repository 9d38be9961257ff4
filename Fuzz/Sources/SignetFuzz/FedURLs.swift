@testable import PluginKit
@testable import SignetNames

/// URLs and patterns, as modules, users and web pages give them.
enum FedURLs {
  /// What is taken apart and written again means the same, and nothing that no part may be gets through.
  static func feedURL(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    for scheme in [nil, "ui"] {
      do {
        for forms in [PluginURL.Forms(), .all] {
          let url = try PluginURL(text, defaultScheme: scheme, accepting: forms)
          check(url)
          _ = (url.resourcePath, url.host, url.segments, url.query.dictionary)
        }
      } catch { checkMessage(error) }
    }
  }

  private static func check(_ url: PluginURL) {
    require(url.parts.count <= PluginURL.partLimit && url.parts != [""], "a URL has too many parts, or an empty one")
    for (index, part) in url.parts.enumerated() {
      require(!part.isEmpty || index == 0, "a segment is empty")
      require(part != "." && part != "..", "a segment leads elsewhere")
      require(!PluginURL.hasControl(part), "a part has a control character")
    }
    let text = written(url)
    guard text.utf8.count <= PluginURL.limit else { return }
    guard let again = try? PluginURL(text, accepting: .all) else {
      return require(false, "a URL that was written cannot be read")
    }
    require(again == url && again.hashValue == url.hashValue, "a URL changed")
    require(written(again) == text, "a URL that was written has another text")
  }

  private static func written(_ url: PluginURL) -> String {
    url.scheme + start(url) + url.parts.map(PercentCoding.encode).joined(separator: "/")
      + (url.hasQuery ? "?" + url.query.encoded : "") + (url.fragment.map { "#" + PercentCoding.encode($0) } ?? "")
  }

  /// What comes between scheme and parts. The first part of a URL with a path is empty, which gives it its slash.
  private static func start(_ url: PluginURL) -> String {
    switch url.form {
    case .authority: "://"
    case .path: url.parts.isEmpty ? ":/" : ":"
    case .opaque: ":"
    }
  }

  /// Lines: a pattern, a URL, values. The pattern's expansions match as it does, and give themselves; URLs that are made of
  /// it are matched by it with these values.
  static func feedPattern(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    let pattern: RoutePattern
    do { pattern = try RoutePattern(lines[0], defaultScheme: "ui") } catch { return checkMessage(error) }
    require(pattern.shapes.count <= PatternParser.shapeLimit, "a pattern can be read in too many ways")
    checkGenerated(pattern, Array(lines.dropFirst(2)))
    guard let trees = trees(pattern), lines.count > 1,
      let url = try? PluginURL(lines[1], defaultScheme: "ui", accepting: .all)
    else {
      return
    }
    let match = trees.whole.match(url)
    let other = trees.parts.match(url)
    require(match?.parameters == other?.parameters && match?.tail == other?.tail, "expansions match otherwise")
    require(match?.isFallback == other?.isFallback, "expansions have another fallback")
    if let match { checkMatch(match, url) }
  }

  /// The pattern in one tree, its expansions in another.
  private static func trees(_ pattern: RoutePattern) -> (whole: RouteTree<Void>, parts: RouteTree<Void>)? {
    var whole = RouteTree<Void>()
    var parts = RouteTree<Void>()
    let id = try? whole.insert(pattern, owner: .host, allowsFallback: true, value: ())
    require(id != nil, "a pattern conflicts with nothing")
    require((try? whole.insert(pattern, owner: .host, value: ())) == nil, "a pattern does not conflict with itself")
    require(whole.remove(id ?? -1) != nil && whole.count == 0, "a pattern cannot be removed")
    _ = try? whole.insert(pattern, owner: .host, allowsFallback: true, value: ())
    for (text, shape) in zip(pattern.expansions, pattern.shapes) {
      // Encoded, a pattern can be longer than one may be.
      guard text.utf8.count <= PatternParser.limit else { return nil }
      guard let expansion = try? RoutePattern(text) else {
        require(false, "an expansion is no pattern")
        return nil
      }
      require(expansion.shapes == [shape] && expansion.expansions == [text], "an expansion is read otherwise")
      require(
        (try? parts.insert(expansion, owner: .host, allowsFallback: true, value: ())) != nil, "expansions conflict")
    }
    return (whole, parts)
  }

  /// The parameters of a match are parts of the URL, and where there is one way only they give the URL again.
  private static func checkMatch(_ match: RouteMatch<Void>, _ url: PluginURL) {
    let pattern = match.pattern
    let values = match.parameters
    require(Set(values.keys).isSubset(of: pattern.parameterNames), "a parameter has no name in the pattern")
    guard !match.isFallback, pattern.shapes.count == 1, !pattern.shapes[0].isGlobal,
      !url.parts.contains(where: { $0.contains("/") }),
      pattern.shapes[0].headCount == pattern.shapes[0].parts.count || pattern.shapes[0].tailName != nil,
      written(url).utf8.count <= PluginURL.limit
    else { return }
    let made = try? pattern.url(values)
    require(made?.scheme == url.scheme && made?.parts == url.parts, "parameters do not give their URL again")
  }

  private static func checkGenerated(_ pattern: RoutePattern, _ values: [String]) {
    do {
      let url = try pattern.url(values)
      check(url)
      var tree = RouteTree<Void>()
      try tree.insert(pattern, owner: .host, value: ())
      guard let match = tree.match(url) else { return require(false, "a pattern does not match its URL") }
      require(match.parameters.values.sorted() == values.sorted(), "a URL has other values than it was made of")
    } catch { checkMessage(error) }
  }

  private static func checkMessage(_ error: any Error) {
    let hasControl = "\(error)".unicodeScalars.contains { $0.properties.generalCategory == .control }
    require(!hasControl, "a message has a control character")
  }
}
