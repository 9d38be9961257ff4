public import SignetCrypto

/// The keys in `keys/insecure-test-*`. Their private halves are published, so they prove nothing.
public enum TestKeys {
  private static let ids: [String] = [
  ]

  /// Whether a key is one of them.
  public static func contains(_ id: KeyID) -> Bool { ids.contains { id.matches($0) } }
}
