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
    GateReport.Comparison(baseline: name, changes: ArtifactPairs(old, new).all.compactMap(change))
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
    lines.add("kind", old?.kindWord, new?.kindWord)
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

extension ExaminedArtifact {
  /// What the artifact was signed as; nil if it is refused.
  fileprivate var kindWord: String? {
    guard let type else { return nil }
    return switch type {
    case .file: "file"
    case .directory: "directory"
    case .module: "module"
    default: type.uri
    }
  }
}
