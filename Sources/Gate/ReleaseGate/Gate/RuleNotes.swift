internal import SignetArchive
internal import SignetBase
internal import SignetNames

/// What the rules note about one artifact while it is walked through.
struct RuleNotes {
  let artifact: ExaminedArtifact
  let settings: RuleSettings
  /// What each rule has found, in the order of the rules.
  private var found: [RuleFindings]
  private var isArtifactShown = false

  init(_ artifact: ExaminedArtifact, _ settings: RuleSettings) {
    self.artifact = artifact
    self.settings = settings
    found = settings.active.map { RuleFindings($0.about.id, $0.level, about: artifact.path) }
  }

  /// What the rules have found.
  var findings: [GateReport.Finding] { found.flatMap(\.all) }

  /// Lets the rules look at the names in an archive or a directory, and before the first ones at the verification.
  mutating func look(at contents: ArtifactContents) throws(SignetError) {
    try lookAtArtifact()
    for each in settings.ofContents { try each.rule.check(contents, in: artifact, &found[each.place]) }
  }

  /// Lets the rules look at an archive of which only the name and its fault are known.
  mutating func look(atUnlisted format: ArchiveFormat?, _ fault: SignetError?) throws(SignetError) {
    try look(at: ArtifactContents(entries: [], format: format, archiveFailure: fault))
  }

  /// States that the file is no artifact, so that no rule judges its signatures.
  mutating func hasNoArtifact() { isArtifactShown = true }

  /// Lets the rules look at the verification, unless they have.
  mutating func lookAtArtifact() throws(SignetError) {
    guard !isArtifactShown else { return }
    isArtifactShown = true
    for each in settings.ofArtifacts { try each.rule.check(artifact, &found[each.place]) }
  }

  /// Lets the rules look at a file.
  mutating func look(at file: ContentFile) throws(SignetError) {
    for each in settings.ofFiles { try each.rule.check(file, in: artifact, &found[each.place]) }
  }

  /// Lets a rule look at a place where its literal was found.
  ///
  /// - Parameter offset: where it is in the file, if only parts of that were searched.
  mutating func look(at match: ContentMatch, offset: Int? = nil) throws(SignetError) -> ContentMatch.Answer {
    let owner = settings.owners[match.literal]
    let own = match.owned(as: owner.literal, at: offset)
    return try owner.rule.rule.check(own, in: artifact, &found[owner.rule.place])
  }

  /// Notes that the bytes of an entry are not what the archive says of them.
  ///
  /// - Parameter isLost: whether not all of them could be searched.
  /// - Throws: the damage if no rule answers for it, because nobody would know that these bytes were not looked at.
  mutating func note(_ damage: SignetError, of entry: String?, isLost: Bool) throws(SignetError) {
    var isAnswered = false
    for each in settings.ofDamage {
      let answers = try each.rule.check(damage, of: entry ?? artifact.path, in: artifact, &found[each.place])
      isAnswered = isAnswered || answers
    }
    if isLost, try answers(unsearched: damage, of: entry) { isAnswered = true }
    if !isAnswered { throw damage.about(entry.map { "\(artifact.path): \($0)" } ?? artifact.path) }
  }

  /// Notes that the bytes of an entry were not all searched, because they are not what the archive says of them. An archive
  /// that is known to be dangerous has one finding for that, and not one for each entry.
  mutating func note(_ damage: SignetError, of entry: String?, inDangerous isDangerous: Bool) throws(SignetError) {
    if isDangerous { try note(unsearched: damage, of: entry) } else { try note(damage, of: entry, isLost: true) }
  }

  /// Notes a danger of something whose bytes were all looked at, or whose loss was noted.
  mutating func note(danger: SignetError, of entry: String?) throws(SignetError) {
    for each in settings.ofDamage {
      _ = try each.rule.check(danger, of: entry ?? artifact.path, in: artifact, &found[each.place])
    }
  }

  /// Notes that something could not be searched.
  mutating func note(unsearched reason: SignetError, of entry: String?) throws(SignetError) {
    _ = try answers(unsearched: reason, of: entry)
  }

  /// Notes that something could not be searched.
  ///
  /// - Returns: whether a rule answers for it.
  private mutating func answers(unsearched reason: SignetError, of entry: String?) throws(SignetError) -> Bool {
    var isAnswered = false
    for each in settings.ofUnsearched {
      let answers = try each.rule.check(unsearched: reason, of: entry, in: artifact, &found[each.place])
      isAnswered = isAnswered || answers
    }
    return isAnswered
  }
}
