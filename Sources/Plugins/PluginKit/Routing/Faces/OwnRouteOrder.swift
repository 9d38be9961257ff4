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

/// The order of an owner's routes that have the same priorities.
public enum OwnRouteOrder: Hashable, Sendable {
  /// As their patterns order them, part by part. This is the default.
  case byPattern
  /// In the order of registration, and before those that their patterns order. But if a URL has a path in its fragment,
  /// routes with a fragment come before those without one, whatever their own priorities.
  case byRegistration
}

/// The place of a route among those of its owner that match a URL: fragments before their lack, where that counts, then the
/// own priority, then the order of registration, then that of the patterns.
struct OwnRank: Comparable {
  private let rank: (Int, Int, Int, Int)

  /// - Parameters:
  ///   - index: the place by the patterns.
  ///   - lacksFragment: whether the URL has a path in its fragment, and the pattern has none.
  init(_ order: OwnRouteOrder, priority: Int, id: Int, index: Int, lacksFragment: Bool) {
    let isOrdered = order == .byRegistration
    rank = (isOrdered && lacksFragment ? 1 : 0, ~priority, isOrdered ? 0 : 1, isOrdered ? id : index)
  }

  static func == (one: OwnRank, other: OwnRank) -> Bool { one.rank == other.rank }

  static func < (one: OwnRank, other: OwnRank) -> Bool { one.rank < other.rank }
}
