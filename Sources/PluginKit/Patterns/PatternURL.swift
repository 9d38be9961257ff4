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
    return try url(shape, query) { values[$0] ?? "" }
  }

  /// The URL that the pattern has for these values, in the order of its parameters.
  ///
  /// - Throws: `pattern.values` when there are more or fewer values than parameters, and for what no URL can have there.
  public func url(_ values: [String], query: URLQuery = URLQuery()) throws(PluginError) -> PluginURL {
    guard let shape = shapes.first(where: { $0.names.count == values.count }) else {
      throw fault("are too many or too few", values)
    }
    let named = Dictionary(zip(shape.names, values)) { first, _ in first }
    return try url(shape, query) { named[$0] ?? "" }
  }

  private func url(
    _ shape: PatternShape, _ query: URLQuery, _ value: (String) -> String
  ) throws(PluginError) -> PluginURL {
    let parts = shape.parts.flatMap { part in
      switch part {
      case .literal(let text): [PercentCoding.encode(text)]
      case .parameter(let name, let suffix): [PercentCoding.encode(value(name) + suffix)]
      case .wildcard(let name):
        // An empty tail has no parts.
        (name.map(value) ?? "").split(separator: "/", omittingEmptySubsequences: true).map {
          PercentCoding.encode(String($0))
        }
      }
    }
    let text = shape.scheme + "://" + parts.joined(separator: "/") + (query.items.isEmpty ? "" : "?" + query.encoded)
    let url: PluginURL
    do { url = try PluginURL(text) } catch {
      throw PluginError(.patternValues, self.text, "gives no URL with these values", cause: error)
    }
    // A value that is empty would name something else.
    let heads = shape.headCount
    let hasTail = heads < shape.parts.count
    let found = shape.values(in: url.parts)
    guard hasTail ? url.parts.count >= heads : url.parts.count == heads,
      found.allSatisfy({ !$1.isEmpty && $1 == value($0) }),
      shape.tailName.map({ url.parts[heads...].joined(separator: "/") == value($0) }) != false
    else { throw fault("cannot be in a URL of it", shape.names.map(value)) }
    return url
  }

  private func fault(_ message: String, _ values: [String]) -> PluginError {
    PluginError(
      .patternValues, text, "the values " + message, expected: shapes[0].names.joined(separator: ", "),
      found: values.joined(separator: ", "))
  }
}
