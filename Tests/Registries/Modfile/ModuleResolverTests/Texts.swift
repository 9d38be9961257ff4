import ModuleResolver
import Signet
import SignetCrypto
import Testing

/// Digests that differ for each text.
func digests(_ text: String) throws -> ReleaseDigests {
  try #require(
    ReleaseDigests(
      archive: Digest.of(Array(text.utf8), .sha256), description: Digest.of(Array((text + "!").utf8), .sha256)))
}

/// Reads `com.a >=1.0.0 <2.0.0`.
func requirement(_ text: String) throws -> ModuleRequirement {
  let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
  return ModuleRequirement(try #require(ModuleIdentifier(parts[0])), try #require(VersionRange(parts[1])))
}

func identifier(_ text: String) throws -> ModuleIdentifier { try #require(ModuleIdentifier(text)) }

/// A Modfile with one source for all modules below `com`, and these lines.
func modfile(_ lines: String...) throws -> Modfile {
  let source = "source 'main', 'https://modules.example.com', modules: 'com.**'"
  return try Modfile(Array(([source] + lines).map { $0 + "\n" }.joined().utf8))
}

/// The key that signs everything in tests.
let signer = "SHA256:" + String(repeating: "A", count: 43)
