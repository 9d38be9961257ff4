extension GateReport {
  /// What is wrong with a file, or with the release.
  public struct Finding: Sendable {
    /// The rule's identifier.
    public let rule: String
    /// How grave it is.
    public let level: Level
    /// The file; nil for a finding about the release.
    public let path: String?
    /// The entry inside an archive or a directory.
    public let entry: String?
    /// The line, the offset or the field, in words.
    public let place: String?
    /// What is wrong, without a period at the end.
    public let message: String
    /// The code of the error behind the finding, or nil.
    public let code: String?
    /// What would have been right.
    public let expected: String?
    /// What was found.
    public let found: String?
    /// What to do next.
    public let hint: String?

    /// Creates a finding.
    package init(
      rule: String, level: Level, path: String? = nil, entry: String? = nil, place: String? = nil, message: String,
      code: String? = nil, expected: String? = nil, found: String? = nil, hint: String? = nil
    ) {
      self.rule = rule
      self.level = level
      self.path = path
      self.entry = entry
      self.place = place
      self.message = message
      self.code = code
      self.expected = expected
      self.found = found
      self.hint = hint
    }
  }
}
