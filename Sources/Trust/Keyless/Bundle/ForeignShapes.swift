package import SignetBase
internal import SignetNames
internal import SignetVerify

/// Files in which others keep bundles, or what a bundle is made of.
///
/// - npm: the registry's answer about a package's attestations, an object with the list `attestations`, each with a `bundle`.
/// - PyPI: an attestation (PEP 740), and the index's answer about a file, an object with the list `attestation_bundles`.
/// - conda (CEP 27, as prefix.dev keeps it): a list of bundles.
///
/// What is read is not verified. Fields that say more about a bundle, such as a publisher, decide nothing.
package enum ForeignShapes {
  /// As many bundles are read from one file.
  private static let limit = SignatureSource.bundleLimit

  /// The texts of the bundles in a file of such a form.
  ///
  /// - Returns: nil for a file of another form, such as a bundle itself.
  /// - Throws: `keyless.bundle` for a file that begins to have such a form, and is not in order.
  package static func bundles(in text: [UInt8]) throws(SignetError) -> [[UInt8]]? {
    guard let value = try? JSONReader.read(text, limits: .bundle).withoutNulls else { return nil }
    do throws(SignetError) {
      switch value.content {
      case .array(let list): return try texts(list)
      case .object:
        var object = try JSONObject(value, "attestations", unknownField: .jsonWrongValue)
        if object.has("attestation_bundles") { return try texts(publishers(&object)) }
        if object.has("attestations") { return try texts(npm(&object)) }
        if object.has("verification_material") { return try texts([bundle(object)]) }
        return nil
      default: return nil
      }
    } catch {
      throw SignetError(.keylessBundle, "attestations", "cannot be read", cause: error)
    }
  }

  private static func texts(_ values: [JSONValue]) throws(SignetError) -> [[UInt8]] {
    guard values.count <= limit else {
      throw SignetError(
        .keylessBundle, "attestations", "are too many", expected: "at most \(limit)", found: "\(values.count)")
    }
    var texts: [[UInt8]] = []
    for value in values { texts.append(try CanonicalJSON.write(value)) }
    return texts
  }

  private static func npm(_ object: inout JSONObject) throws(SignetError) -> [JSONValue] {
    var bundles: [JSONValue] = []
    for var each in try object.objects("attestations", atMost: limit) { bundles.append(try each.required("bundle")) }
    return bundles
  }

  private static func publishers(_ object: inout JSONObject) throws(SignetError) -> [JSONValue] {
    var bundles: [JSONValue] = []
    for var each in try object.objects("attestation_bundles", atMost: limit) {
      for attestation in try each.objects("attestations", atMost: limit) { bundles.append(try bundle(attestation)) }
    }
    return bundles
  }

  /// An attestation of PEP 740 as the bundle that it was made from.
  private static func bundle(_ object: JSONObject) throws(SignetError) -> JSONValue {
    var object = object
    let version = try object.count("version")
    guard version == 1 else { throw object.wrong("version", "1", "\(version)") }
    var material = try object.object("verification_material")
    let certificate = try material.string("certificate")
    let entries = try material.optionalArray("transparency_entries")
    try material.finish()
    var envelope = try object.object("envelope")
    let (statement, signature) = (try envelope.string("statement"), try envelope.string("signature"))
    try envelope.finish()
    try object.finish()
    return .object(
      ("mediaType", .string(SigstoreBundle.MediaType.v03.rawValue)),
      (
        "verificationMaterial",
        .object(
          ("certificate", .object(("rawBytes", .string(certificate)))), ("tlogEntries", .array(entries)))
      ),
      (
        "dsseEnvelope",
        .object(
          ("payload", .string(statement)), ("payloadType", .string(Envelope.payloadType)),
          ("signatures", .array([.object(("sig", .string(signature)))])))
      ))
  }
}
