extension RoutePattern {
  /// Makes the URL that the pattern has for these values, encoded.
  ///
  /// The longest reading that has exactly these parameters is used.
  ///
  /// - Parameters:
  ///   - values: a value for each parameter; that of a tail is its parts joined by slashes. No value may be left over.
  ///   - query: the parameters after the `?`; none if empty.
  /// - Returns: a URL that the pattern matches with exactly these values.
  /// - Throws: `pattern.values`.
  public func url(_ values: [String: String], query: URLQuery = URLQuery()) throws(PluginError) -> PluginURL {
    guard let shape = shapes.first(where: { Set($0.names) == Set(values.keys) }) else {
      throw fault("do not fit its parameters", values.keys.sorted())
    }
    return try url(shape, values, query)
  }

  /// Makes the URL that the pattern has for these values, in the order of its parameters.
  ///
  /// - Throws: `pattern.values` if there are more or fewer values than parameters, or no URL can have these values
  ///   there.
  public func url(_ values: [String], query: URLQuery = URLQuery()) throws(PluginError) -> PluginURL {
    guard let shape = shapes.first(where: { $0.names.count == values.count }) else {
      throw fault("are too many or too few", values)
    }
    return try url(shape, Dictionary(zip(shape.names, values)) { first, _ in first }, query)
  }

  private func url(
    _ shape: PatternShape, _ values: [String: String], _ query: URLQuery
  ) throws(PluginError) -> PluginURL {
    guard !shape.isGlobal else { throw fault("make no URL without a scheme", values.keys.sorted()) }
    let parts = shape.parts.flatMap { part -> [String?] in
      switch part {
      case .literal(PluginURL.fragmentMark): [nil]
      case .literal(let text): [text]
      case .parameter(let name): [values[name] ?? ""]
      case .suffixed(let name, let suffix): [(values[name] ?? "") + suffix]
      case .wildcard(let name, _): Self.tail(name.flatMap { values[$0] } ?? "")
      }
    }
    // In an opaque URL, a slash after the colon would make it another form.
    guard !shape.isOpaque || parts.first != .some("") else { throw fault("cannot be in a URL of it", []) }
    let text =
      shape.written(parts.map { $0.map(PercentCoding.encode) }, query: query.items.isEmpty ? "" : "?" + query.encoded)
    let url: PluginURL
    do { url = try PluginURL(text, accepting: .all) } catch {
      throw PluginError(
        .patternValues, PluginURL.shown(self.text), "gives no valid URL with these values", cause: error)
    }
    // An empty value would name something else, and another reading of the pattern may come first for this URL.
    var tree = RouteTree<Void>()
    try tree.insert(self, owner: .host, value: ())
    // Values are compared as bytes: a text of the pattern may be another writing of a value.
    let found = tree.match(url)?.parameters
    guard let found, found.count == values.count,
      found.allSatisfy({ name, value in values[name].map { value.isSame(as: $0) } == true })
    else {
      throw fault("cannot be in a URL of it", shape.names.map { values[$0] ?? "" })
    }
    return url
  }

  /// The parts of a tail; an empty tail has none.
  private static func tail(_ value: String) -> [String] {
    value.isEmpty
      ? []
      : value.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
        String(decoding: $0, as: UTF8.self)
      }
  }

  private func fault(_ message: String, _ values: [String]) -> PluginError {
    PluginError(
      .patternValues, PluginURL.shown(text), "the values " + message,
      expected: shapes[0].names.joined(separator: ", "),
      found: PluginURL.shown(values.joined(separator: ", ")))
  }
}
