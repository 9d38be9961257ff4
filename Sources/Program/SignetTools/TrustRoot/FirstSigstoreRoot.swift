internal import Keyless
internal import SignetBase

/// What somebody trusts of an instance of Sigstore at first: a root of the repository of The Update Framework that publishes
/// the instance's trusted root, and where that is.
enum FirstSigstoreRoot {
  /// The root. It may have expired: newer ones follow from it.
  ///
  /// To renew it, take the newest root.json of the repository without empty signatures and without spaces.
  static func bytes(of instance: SigstoreInstance) -> [UInt8] {
    switch instance {
    case .publicGood: Array(publicGood.utf8)
    case .github: Array(gitHub.utf8)
    }
  }

  /// The address of the repository, below which its metadata is; the targets are in `targets/`.
  static func address(of instance: SigstoreInstance) -> String {
    switch instance {
    case .publicGood: "https://tuf-repo-cdn.sigstore.dev/"
    case .github: "https://tuf-repo.github.com/"
    }
  }
}
