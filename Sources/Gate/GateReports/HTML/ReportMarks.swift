internal import HTMLPages
internal import ReleaseGate

extension Mark {
  /// The mark of a finding.
  init(_ level: GateReport.Level) { self = level == .error ? .bad : .warning }

  /// The mark of an artifact. One that the policy lets pass without a trusted signature is not good.
  init(_ state: GateReport.State) {
    switch state {
    case .clean, .warned: self = .good
    case .unverified: self = .warning
    case .refused: self = .bad
    }
  }
}

extension HTML {
  /// Writes the cell of a size.
  mutating func addSize(_ count: Int) {
    add(.td, .class("number"), .tip(Amount.of(count, "byte", "bytes")), text: Amount.bytes(count))
  }
}
