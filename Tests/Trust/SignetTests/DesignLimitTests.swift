import Foundation
import SignetBase
import TestSupport
import Testing

@testable import SignetArchive
@testable import SignetCrypto
@testable import SignetModules
@testable import SignetSigning
@testable import SignetVerify

@Suite("limits of the design") struct DesignLimitTests {
  static let limits = [
    ("bundles of an artifact", SignatureSource.bundleLimit), ("bytes of a bundle", JSONLimits.bundle.size),
    ("bytes of a payload", JSONLimits.payload.size), ("entries of a policy", TrustPolicy.entryLimit),
    ("certificates in a bundle", SigstoreBundle.chainLimit), ("certificates in a path", ChainBudget.pathLength),
    ("steps to issuers", ChainBudget.steps), ("signatures of certificates", ChainBudget.signatures),
    ("signatures of revocation lists", ChainBudget.listSignatures), ("bytes of a certificate", Certificate.sizeLimit),
    ("entries of an archive or directory", ArchiveLimits().entries),
    ("bytes of a file in an archive", ArchiveLimits().fileSize),
    ("bytes of all files in an archive", ArchiveLimits().totalSize),
    ("how many times its size an archive may expand", ArchiveLimits().ratio),
    ("bytes of a signing block", SigningBlock.sizeLimit),
  ]

  @Test("docs/design.md has the numbers of the code, and no others")
  func numbers() throws {
    let rows = try Repository.text("docs/design.md").split(separator: "\n").map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    let head = try #require(rows.firstIndex { $0 == ["what", "at most", "why"] })
    let found = rows[(head + 2)...].prefix { $0.count == 3 }.map { [$0[0], $0[1].filter { $0 != "," }] }
    #expect(found == Self.limits.map { [$0.0, "\($0.1)"] })
    #expect(DirectoryListing.entryLimit == ArchiveLimits().entries)
  }
}
