internal import Signet
internal import SignetBase
internal import SignetCrypto

/// What changed between two releases.
///
/// Only what verified statements say of an artifact is shown. Of one that is refused, the size and the digest are
/// compared, and nothing else.
package enum ReleaseComparison {
  /// Compares two releases.
  ///
  /// - Parameters:
  ///   - old: the artifacts of the last release.
  ///   - new: the artifacts of this release.
  ///   - name: what the user calls the last release.
  /// - Returns: each artifact that is new, gone or different, sorted by the bytes of the paths.
  package static func compare(
    _ old: [ExaminedArtifact], _ new: [ExaminedArtifact], baselineName name: String
  ) -> GateReport.Comparison {
    compare(ArtifactPairs(old, new).all, baselineName: name)
  }

  /// The maximum size in bytes of the lines of all changes, so that a report can be read again.
  static let sizeLimit = 16 << 20

  /// Compares the artifacts of two releases that take each other's place.
  ///
  /// - Parameter limit: how many bytes all lines may have. Behind it, a change has one line that counts the others.
  static func compare(
    _ pairs: [ArtifactPairs.Pair], baselineName name: String, limit: Int = sizeLimit
  ) -> GateReport.Comparison {
    var room = limit
    let changes = pairs.compactMap { pair -> GateReport.Change? in
      guard let change = change(pair) else { return nil }
      room -= change.details.reduce(0) { $0 + $1.utf8.count }
      guard room < 0, !change.details.isEmpty else { return change }
      let count = Amount.of(change.details.count, "difference", "differences")
      return GateReport.Change(path: change.path, kind: change.kind, details: ["\(count), not listed"])
    }
    return GateReport.Comparison(baseline: name, changes: changes)
  }

  private static func change(_ pair: ArtifactPairs.Pair) -> GateReport.Change? {
    var lines = DetailLines()
    let kind: GateReport.Change.Kind
    switch (pair.old, pair.new) {
    case (let old?, let new?):
      if !old.path.isExactly(new.path) { lines.add("was \(old.path.word)") }
      add(old, new, to: &lines)
      if lines.lines.isEmpty { return nil }
      kind = .changed
    case (let old?, nil):
      add(old, nil, to: &lines)
      kind = .removed
    default:
      add(nil, pair.new, to: &lines)
      kind = .added
    }
    return GateReport.Change(path: pair.path, kind: kind, details: lines.lines)
  }

  private static func add(_ old: ExaminedArtifact?, _ new: ExaminedArtifact?, to lines: inout DetailLines) {
    lines.add("kind", old?.kind?.word, new?.kind?.word)
    addSize(old, new, to: &lines)
    lines.add(
      "minimum sequence", old?.minimumSequence.map { "\($0)" }, new?.minimumSequence.map { "\($0)" })
    addSigners(old, new, to: &lines)
    guard [old, new].allSatisfy({ $0?.isVerified ?? true }) else {
      return addRefusal(old, new, to: &lines)
    }
    ModuleComparison(old: old?.module, new: new?.module).add(to: &lines)
    switch (old?.listing, new?.listing) {
    case (let old?, let new?): EntryComparison.add(old.entries, new.entries, to: &lines)
    case (let old?, nil): EntryComparison.addCount("-", old.entries, to: &lines)
    case (nil, let new?): EntryComparison.addCount("+", new.entries, to: &lines)
    case (nil, nil): break
    }
  }

  private static func addSize(_ old: ExaminedArtifact?, _ new: ExaminedArtifact?, to lines: inout DetailLines) {
    switch (old, new) {
    case (let old?, let new?):
      if old.size != new.size {
        lines.add("~ size \(Amount.number(old.size)) to \(Amount.number(new.size)) bytes")
      } else if !old.hasSameBytes(as: new) {
        lines.add("~ content, with the same size of \(Amount.of(new.size, "byte", "bytes"))")
      }
    case (let old?, nil): lines.add("- size \(Amount.of(old.size, "byte", "bytes"))")
    case (nil, let new?): lines.add("+ size \(Amount.of(new.size, "byte", "bytes"))")
    case (nil, nil): break
    }
  }

  private static func addSigners(_ old: ExaminedArtifact?, _ new: ExaminedArtifact?, to lines: inout DetailLines) {
    forEachPair(old?.signers ?? [], new?.signers ?? [], by: \.identity) { old, new in
      switch (old, new) {
      case (let old?, nil): lines.add("- signer \(old.name.visible)")
      case (nil, let new?): lines.add("+ signer \(new.name.visible)")
      default: break
      }
    }
  }

  /// Says whose content is not compared, if there is anything to compare.
  private static func addRefusal(_ old: ExaminedArtifact?, _ new: ExaminedArtifact?, to lines: inout DetailLines) {
    if let old, let new {
      guard old.sha256 != new.sha256 || old.isVerified != new.isVerified else { return }
      if old.sha256 != new.sha256 { lines.add("~ sha256 \(old.sha256.hex) to \(new.sha256.hex)") }
    }
    lines.add(
      new?.isVerified ?? true
        ? "was refused, so its content is not compared" : "is refused, so its content is not compared")
  }
}
