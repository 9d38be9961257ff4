internal import SignetBase
internal import SignetCrypto

/// Something in which a directory is not what was signed.
struct DirectoryDifference {
  let path: String
  let kind: Kind
  let expected: String
  let found: String

  /// Which difference; those that tell most come first.
  enum Kind: Int {
    case content, type, target, missing, extra, mode
  }

  var code: SignetError.Code {
    switch kind {
    case .content: .digestMismatch
    case .type: .directoryTypeMismatch
    case .target: .directoryTargetMismatch
    case .missing: .directoryMissingEntry
    case .extra: .directoryExtraEntry
    case .mode: .directoryModeMismatch
    }
  }

  private var message: String {
    switch kind {
    case .content: "is not what was signed: its bytes were changed"
    case .type: "is of another kind than what was signed"
    case .target: "is a link to something else than what was signed"
    case .missing: "was signed, and is not there"
    case .extra: "was not signed"
    case .mode: "has other permissions than those that were signed"
    }
  }

  /// The difference as a reason to refuse the directory of that name.
  func reason(in name: String) -> SignetError {
    SignetError(
      code, "\(name)/\(path)", message, expected: expected, found: found,
      hint: kind == .mode
        ? "permissions are signed, too: get the directory anew with those it had (tar -p, or the signer's umask)"
        : "get the directory anew from where it comes from")
  }
}

/// In what a directory is not what was signed: nothing, or the differences that tell most and how many more there are.
struct DirectoryDifferences {
  /// Differences that are told one by one.
  static let limit = 100

  let told: [DirectoryDifference]
  let untold: Int

  init(_ all: [DirectoryDifference]) {
    // By kind, and within a kind in the order of the paths, in which they come.
    told = Array(
      all.enumerated().sorted { ($0.element.kind.rawValue, $0.offset) < ($1.element.kind.rawValue, $1.offset) }
        .map(\.element).prefix(Self.limit))
    untold = all.count - told.count
  }

  /// A reason for each difference that is told, and one that says how many are not.
  func reasons(in name: String) -> [SignetError] {
    var reasons = told.map { $0.reason(in: name) }
    if untold > 0 {
      reasons.append(
        SignetError(
          .directoryMoreDifferences, name, "has more differences than are told here",
          expected: "the signed directory", found: "\(untold) more"))
    }
    return reasons
  }
}
