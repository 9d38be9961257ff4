internal import SignetBase
internal import SignetNames
internal import Synchronization

/// A path that ``ChainJudge`` has accepted, by the fingerprints of its certificates.
final class AcceptedPath: Sendable {
  private let fingerprints: [Digest]

  private init(_ path: [Certificate]) { fingerprints = path.map(\.fingerprint) }

  /// Where a certificate keeps the first path that was accepted for it.
  final class Place: Sendable {
    private let first = AtomicLazyReference<AcceptedPath>()

    func holds(_ path: [Certificate]) -> Bool {
      first.load().map { $0.fingerprints == path.map(\.fingerprint) } ?? false
    }

    func keep(_ path: [Certificate]) { _ = first.storeIfNil(AcceptedPath(path)) }
  }
}

extension Certificate {
  /// Whether it has an extension that is about the path as a whole (RFC 5280, sections 4.2.1.4, 4.2.1.5, 4.2.1.10,
  /// 4.2.1.11 and 4.2.1.14).
  var constrainsPaths: Bool {
    fields.extensions.names.contains { name in
      switch name {
      case .nameConstraints, .certificatePolicies, .policyMappings, .policyConstraints, .inhibitAnyPolicy: true
      default: false
      }
    }
  }
}
