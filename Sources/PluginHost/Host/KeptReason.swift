internal import SignetBase
internal import SignetCrypto

extension SignetError {
  /// Bytes of a text that are kept: several lines of a terminal.
  private static let keptBytes = 1024
  /// Causes below each other that are kept; an archive with as many bundles as there may be has one for each.
  private static let keptCauses = 32

  /// As much of it as a host remembers, and tells those who may never listen: an offer that nobody has signed may be quoted in it, with
  /// megabytes.
  var kept: SignetError { kept(Self.keptCauses) }

  private func kept(_ causes: Int) -> SignetError {
    var copy = self
    copy.object = Self.cut(object)
    copy.message = Self.cut(message)
    copy.expected = expected.map(Self.cut)
    copy.found = found.map(Self.cut)
    if let cause = cause as? SignetError { copy.cause = causes > 0 ? cause.kept(causes - 1) : nil }
    return copy
  }

  private static func cut(_ text: String) -> String {
    guard text.utf8.count > keptBytes else { return text }
    return String(decoding: text.utf8.prefix(keptBytes), as: UTF8.self) + "…"
  }
}

extension HostEvent {
  /// The event as it is told.
  var kept: HostEvent {
    guard case .notice(let error) = self else { return self }
    return .notice(error.kept)
  }
}

extension RefusedModule {
  /// The refusal as it is remembered and told.
  var kept: RefusedModule {
    RefusedModule(identifier: identifier, sequence: sequence, source: source, reason: reason.kept, time: time)
  }
}
