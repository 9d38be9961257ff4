import Signet
import SignetCrypto

/// Packs a plugin's directory as a module and puts the publisher's signature into the archive.
func release(_ plugin: String, as path: String, by publisher: PrivateKey, at time: UnixTime) throws {
  _ = try ModulePacker().pack(.directory(Directory(opening: plugin)), to: path, as: .zip)
  let archive = Artifact.file(try RegularFile(opening: path))
  let claims = try Signer.ModuleClaims(name: "player.zip", signedAt: time)
  let bundle = try Signer(publisher).sign(module: archive, claims)
  try AttachedArchive.attaching([bundle], to: archive, at: time).write(to: path, replaces: true)
}

/// The module in an archive: this one, by a signer who is trusted for it, and no older than the known release.
func module(
  _ identifier: ModuleIdentifier, in path: String, from known: Int, by policy: TrustPolicy
) throws -> VerifiedModule {
  try Verifier(policy: policy, clock: .system).verify(
    .file(RegularFile(opening: path)), signatures: .beside(path),
    expecting: .module(identifier, leastSequence: known, named: path)
  ).get()
}
