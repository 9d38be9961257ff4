import SignetArchive
import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import SignetCrypto

/// NIST's Public Key Interoperability Test Suite: every leaf, with all other certificates as intermediates and all lists,
/// so that paths have to be found as well as validated. Code signing is not asked for: the suite knows none.
///
/// `exceptions.txt` beside the data says for every case with another verdict than NIST's, which, and why.
@Suite struct PKITSTests {
  static let folder = "Tests/Vectors/pkits"

  /// Verdicts where the name does not begin with them, with any policy wanted and none demanded.
  static let unnamed: [String: Bool] = [
    "AllCertificatesNoPoliciesTest2EE": true, "AllCertificatesSamePoliciesTest10EE": true,
    "AllCertificatesSamePoliciesTest13EE": true, "AllCertificatesanyPolicyTest11EE": true, "AnyPolicyTest14EE": true,
    "CPSPointerQualifierTest20EE": true, "DifferentPoliciesTest12EE": false, "DifferentPoliciesTest3EE": true,
    "DifferentPoliciesTest4EE": false, "DifferentPoliciesTest5EE": false, "DifferentPoliciesTest7EE": false,
    "DifferentPoliciesTest8EE": false, "DifferentPoliciesTest9EE": false, "OverlappingPoliciesTest6EE": true,
    "UserNoticeQualifierTest15EE": true, "UserNoticeQualifierTest16EE": true, "UserNoticeQualifierTest17EE": true,
    "UserNoticeQualifierTest18EE": true, "UserNoticeQualifierTest19EE": true, "inhibitAnyPolicyTest3EE": true,
  ]

  /// The suite's files, in the order of their names.
  struct Suite {
    let certificates: [(file: String, der: [UInt8])]
    let lists: [(file: String, der: [UInt8])]

    init() throws {
      let limits = ArchiveLimits()
      let file = try RegularFile(opening: "\(Repository.root)/\(folder)/PKITS_data.zip")
      let archive = try ZIPArchive(file, limits: limits)
      let entries = try archive.entries(limits)
      let reader = EntryReader(archive.unsigned)
      func files(_ kind: String) throws -> [(file: String, der: [UInt8])] {
        var files: [(file: String, der: [UInt8])] = []
        for entry in entries where entry.path.hasPrefix(kind) {
          guard case .file(let size) = entry.content else { continue }
          let der = try reader.bytes(entry.data, size: size, path: entry.path)
          files.append((String(entry.path.dropFirst(kind.count)), der))
        }
        return files
      }
      certificates = try files("certs/")
      lists = try files("crls/")
    }
    var leaves: [(file: String, der: [UInt8])] { certificates.filter { $0.file.hasSuffix("EE.crt") } }
  }

  /// What the suite consists of; the one certificate and the one list whose signatures are no whole bytes cannot be read.
  static func verifier(_ suite: Suite) throws -> CertificateChainVerifier {
    var certificates: [Certificate] = []
    for (file, der) in suite.certificates where !file.hasSuffix("EE.crt") {
      if file == "BadSignedCACert.crt" {
        expectError(.certificateMalformed) { _ = try Certificate(der: der) }
      } else {
        certificates.append(try Certificate(der: der))
      }
    }
    var lists: [RevocationList] = []
    for (file, der) in suite.lists {
      if file == "BadCRLSignatureCACRL.crl" {
        expectError(.revocationListMalformed) { _ = try RevocationList(der: der) }
      } else {
        lists.append(try RevocationList(der: der))
      }
    }
    let anchor = try #require(suite.certificates.first { $0.file == "TrustAnchorRootCertificate.crt" })
    var verifier = CertificateChainVerifier(
      anchors: [try Certificate(der: anchor.der)], intermediates: certificates, revocationLists: lists,
      leastRSABits: 2048,
      purpose: .pathValidation)
    verifier.revocationDemand = .required
    return verifier
  }

  /// The list of this leaf's issuer cannot be read, so that no verifier can be made with it.
  static let unreadable = ["InvalidBadCRLSignatureTest4EE": "BadCRLSignatureCACRL.crl"]

  /// What refuses the leaves that only lists can refuse: indirect lists, delta lists, lists of parts.
  static let reasons: [String: SignetError.Code] = [
    "InvalidIDPwithindirectCRLTest23EE": .chainRevoked, "InvalidcRLIssuerTest27EE": .revocationListIncomplete,
    "InvalidcRLIssuerTest31EE": .chainRevoked, "InvalidcRLIssuerTest32EE": .chainRevoked,
    "InvaliddeltaCRLIndicatorNoBaseTest1EE": .revocationListIncomplete, "InvaliddeltaCRLTest3EE": .chainRevoked,
    "InvaliddeltaCRLTest4EE": .chainRevoked, "InvaliddeltaCRLTest6EE": .chainRevoked,
    "InvaliddeltaCRLTest9EE": .chainRevoked, "InvaliddeltaCRLTest10EE": .revocationListExpired,
    "InvalidonlySomeReasonsTest15EE": .chainRevoked, "InvalidonlySomeReasonsTest17EE": .revocationListIncomplete,
    "InvalidonlySomeReasonsTest20EE": .chainRevoked, "InvalidonlySomeReasonsTest21EE": .chainRevoked,
  ]

  /// The verdicts that differ, by the name of the leaf.
  static func exceptions() throws -> [String: String] {
    var verdicts: [String: String] = [:]
    for line in try Repository.text("\(folder)/exceptions.txt").split(separator: "\n") where !line.hasPrefix("#") {
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      try #require(words.count == 3, "\(line)")
      verdicts[words[0]] = words[1]
    }
    return verdicts
  }

  @Test("every case has NIST's verdict, or the one that is reasoned")
  func all() throws {
    let suite = try Suite()
    let verifier = try Self.verifier(suite)
    let exceptions = try Self.exceptions()
    let time = try #require(UnixTime("2012-01-01T00:00:00Z"))
    var agreed = 0
    for (file, der) in suite.leaves {
      let name = String(file.dropLast(4))
      let named: Bool? = name.hasPrefix("Valid") ? true : name.hasPrefix("Invalid") ? false : nil
      guard let isValid = named ?? Self.unnamed[name] else {
        Issue.record("\(name) has no verdict")
        continue
      }
      var verdict = "verified"
      do {
        if let list = Self.unreadable[name] {
          _ = try RevocationList(der: try #require(suite.lists.first { $0.file == list }).der)
        }
        _ = try verifier.verify(try Certificate(der: der), at: time)
      } catch let error as SignetError { verdict = error.code.rawValue }
      #expect(!verdict.hasPrefix("crypto."), "\(name)")
      if let reason = Self.reasons[name] { #expect(verdict == reason.rawValue, "\(name)") }
      if let exception = exceptions[name] {
        #expect(verdict == exception, "\(name)")
      } else {
        #expect((verdict == "verified") == isValid, "\(name): \(verdict)")
        agreed += 1
      }
    }
    #expect(suite.leaves.count == 223)
    #expect(agreed == 223 - exceptions.count)
  }
}
