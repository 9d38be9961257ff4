internal import KeyLineages
internal import Keyless
internal import Signet
internal import SignetBase
internal import SignetCMS
internal import SignetCrypto

/// What a bundle claims, for people and for programs. Nothing in it has been verified, and the report says so.
struct BundleReport {
  private let bundle: SigstoreBundle
  private let statement: Result<Statement, SignetError>

  init(_ bundle: SigstoreBundle) {
    self.bundle = bundle
    statement = Result { () throws(SignetError) in try Statement(payload: bundle.envelope.payload) }
  }

  /// The name and text of each claim, in the order in which they are shown.
  private var claims: [(String, String)] {
    var claims = [("format", bundle.mediaType.rawValue), ("signer", signer)] + certificates
    if !bundle.envelope.keyID.isEmpty { claims.append(("keyid", bundle.envelope.keyID)) }
    claims.append(("signature", "\(bundle.envelope.signature.count) bytes"))
    switch statement {
    case .success(let statement):
      claims += [
        ("type", statement.predicateType.uri), ("name", statement.subjectName),
        (statement.subjectDigest.algorithm.rawValue, statement.subjectDigest.hex),
      ]
      claims += statement.subjects.dropFirst().map { ("alsoAbout", "\($0.digest.hex)  \($0.name)") }
      if let file = statement.file { claims += [("fsverity", "\(file.fsverity)"), ("size", "\(file.size)")] }
      if let listing { claims += [("entries", "\(listing.entries.count)"), ("size", "\(listing.size)")] }
      if let module = statement.module {
        claims += [
          ("identifier", "\(module.module.identifier)"), ("version", "\(module.module.version)"),
          ("sequence", "\(module.module.sequence)"), ("archive", "\(module.archive.format)"),
          ("fsverity", "\(module.archive.fsverity)"), ("size", "\(module.archive.size)"),
          ("entries", "\(module.contents.entries.count)"),
        ]
        if let minimum = module.minimumSequence { claims.append(("minimumSequence", "\(minimum)")) }
        claims += (module.signers ?? []).map { ("mustSign", "\($0)") }
      }
      if let manifest = statement.hostManifest {
        claims += [("identifier", "\(manifest.identifier)"), ("sequence", "\(manifest.sequence)")]
      }
      if let time = statement.signedAt { claims.append(("signedAt", "\(time)")) }
      if let end = statement.notAfter { claims.append(("notAfter", "\(end)")) }
    case .failure(let error):
      guard let text = try? bundle.canonicalBytes(), let rotation = try? RotationStatement(bundle: text) else {
        if let text = try? bundle.canonicalBytes(), let waiver = try? ContinuityWaiver(reading: text) {
          claims += [
            ("type", ContinuityWaiver.predicateType), ("module", "\(waiver.module)"),
            ("sequence", "\(waiver.sequence)"), ("reason", waiver.reason.visible),
          ]
        } else {
          claims.append(("statement", "\(error)"))
        }
        break
      }
      claims += [
        ("type", RotationStatement.predicateType), ("number", "\(rotation.number)"), ("from", "\(rotation.from.id)"),
        ("to", "\(rotation.to.id)"), ("since", "\(rotation.since)"), ("until", "\(rotation.until)"),
      ]
    }
    claims += [("logEntries", "\(bundle.logEntries.count)"), ("timestamps", "\(bundle.timestamps.count)")]
    claims += bundle.logEntries.map { entry in
      (
        "logged",
        "entry \(entry.logIndex)" + (entry.integratedTime > 0 ? ", \(UnixTime(seconds: entry.integratedTime))" : "")
      )
    }
    claims += bundle.timestamps.map { der in
      do throws(SignetError) {
        let token = try TimestampToken(der: der)
        return ("stamped", "\(token.info.time) by \(token.claimedAuthority)")
      } catch { return ("stamped", "\(error)") }
    }
    return claims
  }

  /// The claims about a module.
  private var module: ModulePredicate? { (try? statement.get())?.module }

  /// The claimed contents of a directory.
  private var listing: DirectoryListing? { (try? statement.get())?.directory?.listing }

  private var signer: String {
    switch bundle.material {
    case .publicKey(let hint): hint.isEmpty ? "a public key without a hint" : "public key \(hint)"
    case .certificate(let der): "certificate of \(der.count) bytes"
    case .certificateChain(let chain): "chain of \(chain.count) certificates"
    }
  }

  private func isHint(_ keyID: String) -> Bool {
    if case .publicKey(let hint) = bundle.material { hint.isExactly(keyID) } else { false }
  }

  private var certificates: [(String, String)] {
    switch bundle.material {
    case .publicKey: []
    case .certificate(let der): CertificateReport(der).claims() + CertificateReport(der).identity
    case .certificateChain(let chain):
      CertificateReport(chain[0]).claims() + CertificateReport(chain[0]).identity
        + chain.dropFirst().enumerated().flatMap { CertificateReport($0.element).claims("chain\($0.offset + 1).") }
    }
  }

  /// The claims in lines. A key ID that already names the signer is not repeated.
  var lines: [String] {
    claims.filter { name, text in name != "keyid" || !isHint(text) }.map { name, text in
      "  \(name)\(String(repeating: " ", count: max(1, 16 - name.utf8.count)))\(text.display)"
    } + (module.map { ModuleReport($0).lines } ?? [])
  }

  /// The entry of the JSON document.
  ///
  /// - Parameter computed: the digests of the archive that the bundle is in, or beside.
  func json(computed: SignedDigests?) -> JSONValue {
    var members = [JSONValue.Member("verified", JSONValue(.bool(false)))]
    if let computed, let file = computed.file {
      members.append(
        JSONValue.Member(
          "computed", .object(("signed", Report.digests(computed.signed)), ("file", Report.digests(file)))))
    }
    for (name, values) in Dictionary(grouping: claims, by: \.0).sorted(by: { $0.key < $1.key }) {
      let isList = name.hasSuffix("alternative") || ["alsoAbout", "logged", "mustSign", "stamped"].contains(name)
      members.append(
        JSONValue.Member(name, isList ? .array(values.map { .string($0.1) }) : .string(values[0].1)))
    }
    if let listing { members.append(JSONValue.Member("listing", listing.json)) }
    if let module {
      members.append(JSONValue.Member("module", module.module.json))
      members.append(JSONValue.Member("contents", module.contents.json))
    }
    return JSONValue(.object(members))
  }
}

/// The claims of a certificate: the name and text of each.
package struct CertificateReport {
  private let der: [UInt8]

  package init(_ der: [UInt8]) { self.der = der }

  /// What an authority of Sigstore says of the signer; nothing for a certificate of another one.
  var identity: [(String, String)] {
    guard let certificate = try? Certificate(der: der), CertifiedIdentity.names(certificate),
      let identity = try? CertifiedIdentity(certificate)
    else { return [] }
    let shown = ["repository", "ref", "commit", "trigger", "runner"]
    return [("identity", identity.identity)] + (identity.issuer.map { [("identityIssuer", $0)] } ?? [])
      + shown.compactMap { name in identity.claim(name).map { (name, $0) } }
  }

  /// The claims, in the order in which they are shown; for bytes that are not a certificate, the reason.
  ///
  /// - Parameter prefix: comes before the names, because the issuers' certificates have the same ones.
  package func claims(_ prefix: String = "") -> [(String, String)] {
    let certificate: Certificate
    do throws(SignetError) {
      certificate = try Certificate(der: der)
    } catch {
      return [(prefix + "certificate", "\(error)")]
    }
    var claims = [
      ("subject", certificate.subject.isEmpty ? "none" : "\(certificate.subject)"),
      ("issuer", "\(certificate.issuer)"),
      ("serial", certificate.serialNumber), ("valid", "\(certificate.notBefore) to \(certificate.notAfter)"),
    ]
    for name in certificate.subjectAlternativeNames { claims.append(("alternative", "\(name)")) }
    if let key = try? certificate.publicKey() { claims.append(("key", "\(key)")) }
    return claims.map { (prefix + $0.0, $0.1) }
  }
}
