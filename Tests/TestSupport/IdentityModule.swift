/// The module of `Tests/Vectors/keyless/module`, which a workflow of a private Sigstore has signed by its identity.
public enum IdentityModule {
  /// The folder with the archive, its bundle beside it, and the trusted root.
  public static let folder = Repository.root + "/Tests/Vectors/keyless/module"
  /// The archive.
  public static let archive = folder + "/player.zip"
  /// Who has signed.
  public static let identity = "https://github.com/example/tool/.github/workflows/release.yml@refs/tags/v1"

  /// A policy that trusts workflows of a repository for all modules, under the instance's root.
  public static func policy(repository: String = "https://github.com/example/tool") throws -> [UInt8] {
    let root = try Repository.text("Tests/Vectors/keyless/module/root.json")
    return Array(
      """
      {"version": 1, "entries": [{"name": "workflows", "modules": ["**"], "sigstore": {"root": \(root), \
      "identities": [{"repository": "\(repository)"}]}}]}
      """.utf8)
  }
}
