/// What to do when an owner already has a route for the same URLs with the same priority.
///
/// This is about routes of one owner only. Routes of two owners for the same URLs are always a conflict.
public enum EqualRoutes: Hashable, Sendable {
  /// The registration fails with `route.conflict`. This is the default.
  case refused
  /// Both stay, and are asked in the order of registration. The second one is asked only if the first one declines.
  case inOrder
  /// The new route takes the place of the old ones, in one step: at any time, either the old ones or the new one serve
  /// a URL. The patterns have to match exactly the same URLs; otherwise the registration fails with `route.conflict`.
  case replaced
}
