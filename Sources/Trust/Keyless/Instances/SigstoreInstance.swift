package import SignetBase

/// An instance of Sigstore whose trusted root comes with Signet.
package enum SigstoreInstance: String, Sendable, CaseIterable {
  /// The instance that everybody can use, and that GitHub, npm and PyPI use for what is public.
  case publicGood = "public-good"
  /// GitHub's own, which signs for private repositories and for releases. It has no log.
  case github

  /// The text of its trusted root, as it was when this version of Signet was made.
  package var text: String {
    switch self {
    case .publicGood: Self.publicGoodRoot
    case .github: Self.gitHubRoot
    }
  }

  /// Its trusted root, which is read once.
  ///
  /// - Throws: `crypto.failure`.
  package func root() throws(SignetError) -> SigstoreRoot {
    switch self {
    case .publicGood: try Self.publicGoodRead.get()
    case .github: try Self.gitHubRead.get()
    }
  }

  private static let publicGoodRead = read(.publicGood)
  private static let gitHubRead = read(.github)

  private static func read(_ instance: Self) -> Result<SigstoreRoot, SignetError> {
    Result { () throws(SignetError) in try SigstoreRoot(json: Array(instance.text.utf8)) }
  }

  /// What it gives, so that it can be demanded.
  package var demands: KeylessDemands {
    switch self {
    case .publicGood: .publicGood
    case .github: .github
    }
  }
}
