/// What happens to a release that is signed with less than the one before it.
public enum Continuity: String, Hashable, Sendable, CaseIterable {
  /// It is refused.
  case refuse
  /// It is accepted with a warning.
  case warn
}
