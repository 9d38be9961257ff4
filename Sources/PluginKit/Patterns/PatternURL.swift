extension RoutePattern {
  /// The URL that the pattern has for these values, encoded.
  ///
  /// The longest way to read the pattern whose parameters are all named is taken.
  ///
  /// - Parameters:
  ///   - values: a value for each parameter; those of a tail are parts with slashes between. None may be left over.
  ///   - query: what to put behind the `?`; nothing when empty.
  /// - Returns: a URL that the pattern matches with just these values.
  /// - Throws: `pattern.values`.
  public func url(_ values: [String: String], query: URLQuery = URLQuery()) throws(PluginError) -> PluginURL {
    guard let shape = shapes.first(where: { Set($0.names) == Set(values.keys) }) else {
      throw fault("do not fit its parameters", values.keys.sorted())
    }
    return try url(shape, values, query)
  }

  /// The URL that the pattern has for these values, in the order of its parameters.
  ///
  /// - Throws: `pattern.values` when there are more or fewer values than parameters, and for what no URL can have there.
  public func url(_ values: [String], query: URLQuery = URLQuery()) throws(PluginError) -> PluginURL {
    guard let shape = shapes.first(where: { $0.names.count == values.count }) else {
      throw fault("are too many or too few", values)
    }
    return try url(shape, Dictionary(zip(shape.names, values)) { first, _ in first }, query)
  }

  private func url(
    _ shape: PatternShape, _ values: [String: String], _ query: URLQuery
  ) throws(PluginError) -> PluginURL {
    let parts = shape.parts.flatMap { part in
      switch part {
      case .literal(let text): [text]
      case .parameter(let name): [values[name] ?? ""]
      case .suffixed(let name, let suffix): [(values[name] ?? "") + suffix]
      case .wildcard(let name): Self.tail(name.flatMap { values[$0] } ?? "")
      }
    }
    let text =
      shape.scheme + "://" + parts.map(PercentCoding.encode).joined(separator: "/")
      + (query.items.isEmpty ? "" : "?" + query.encoded)
    let url: PluginURL
    do { url = try PluginURL(text) } catch {
      throw PluginError(.patternValues, PluginURL.shown(self.text), "gives no URL with these values", cause: error)
    }
    // A value that is empty would name something else; and another way to read the pattern may come first for this URL.
    var tree = RouteTree<Void>()
    try tree.insert(self, owner: .host, value: ())
    guard tree.match(url)?.parameters == values else {
      throw fault("cannot be in a URL of it", shape.names.map { values[$0] ?? "" })
    }
    return url
  }

  /// The parts of a tail; an empty one has none.
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
