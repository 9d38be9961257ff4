internal import Signet
internal import SignetCrypto

extension StoreState {
  /// The version of the format.
  private static let version = 1
  /// A thousand modules with 32 releases and a floor that two signers raised, and room. What is written has to be read
  /// again: where texts are short, all modules, releases, signers and certificates together have 740,000 values.
  static let limits = JSONLimits(size: 8 << 20, depth: 10, values: 800_000)
  /// Signers of a release: bundles that are read for one artifact.
  private static let signerLimit = SignatureSource.bundleLimit
  /// Certificates in a path: eight that travel, and the anchor.
  private static let certificateLimit = 9

  /// The text of the file: canonical JSON and a line's end.
  ///
  /// - Throws: `store.bounds` for what could not be read again.
  func text() throws(SignetError) -> [UInt8] {
    let modules = modules.sorted { "\($0.key)".precedesInBytes("\($1.key)") }
    let text = try CanonicalJSON.write(
      .object(
        ("version", .integer(Self.version)), ("latestTime", latestTime.map { .string("\($0)") }),
        ("modules", .array(modules.map { $0.value.json($0.key) })),
        ("manifests", manifests.isEmpty ? nil : .array(manifestsJSON)), ("notes", .array(notes.map(\.json)))))
    guard modules.count <= Self.moduleLimit, text.count < Self.limits.size else {
      throw SignetError(
        .storeBounds, "state", "would be too large", expected: "at most \(Self.moduleLimit) modules",
        found: "\(modules.count)")
    }
    return text + [UInt8(ascii: "\n")]
  }

  private var manifestsJSON: [JSONValue] {
    manifests.sorted { "\($0.key)".precedesInBytes("\($1.key)") }.map { identifier, floor in
      .object(("identifier", .string("\(identifier)")), ("floor", floor.json))
    }
  }

  /// Reads the file's text.
  ///
  /// - Throws: `store.state-malformed`.
  init(_ text: [UInt8], _ path: String) throws(SignetError) {
    do throws(SignetError) {
      let value = try JSONReader.read(text, limits: Self.limits)
      var object = try JSONObject(value, "state", unknownField: .storeStateMalformed, in: text)
      let version = try object.count("version")
      guard version == Self.version else { throw object.wrong("version", "\(Self.version)", "\(version)") }
      let latestTime = try object.optionalTime("latestTime")
      var modules: [ModuleIdentifier: Module] = [:]
      for module in try object.objects("modules", atMost: Self.moduleLimit) {
        var module = module
        let identifier = try module.identifier("identifier")
        guard modules.updateValue(try Module(&module), forKey: identifier) == nil else {
          throw module.wrong("identifier", "each module once", "\(identifier)")
        }
      }
      var manifests: [ModuleIdentifier: Floor] = [:]
      for manifest in try object.has("manifests") ? object.objects("manifests", atMost: Self.manifestLimit) : [] {
        var manifest = manifest
        let identifier = try manifest.identifier("identifier")
        var floor = try manifest.object("floor")
        guard manifests.updateValue(try Floor(&floor), forKey: identifier) == nil else {
          throw manifest.wrong("identifier", "each host once", "\(identifier)")
        }
        try manifest.finish()
      }
      var notes: [Note] = []
      for note in try object.objects("notes", atMost: Self.noteLimit) { notes.append(try Note(note)) }
      try object.finish()
      self.init(modules: modules, manifests: manifests, latestTime: latestTime, notes: notes)
    } catch {
      throw SignetError(
        .storeStateMalformed, path, "is not a store's state", cause: error,
        hint: "bring the file back from a backup; a new store knows no floors")
    }
  }

  fileprivate static func signers(_ object: inout JSONObject) throws(SignetError) -> [Floor.Signer] {
    var signers: [Floor.Signer] = []
    for signer in try object.objects("signers", atMost: signerLimit) {
      var signer = signer
      let text = try signer.string("key")
      guard let key = KeyID(text) else { throw signer.wrong("key", "a key's ID", text) }
      var names: [Floor.CertificateName] = []
      for certificate in try signer.objects("certificates", atMost: certificateLimit) {
        var certificate = certificate
        names.append(
          Floor.CertificateName(serial: try certificate.string("serial"), issuer: try certificate.string("issuer")))
        try certificate.finish()
      }
      try signer.finish()
      signers.append(Floor.Signer(key: key, certificates: names))
    }
    guard !signers.isEmpty else { throw object.wrong("signers", "one or more", "none") }
    return signers
  }
}

extension StoreState.Module {
  fileprivate func json(_ identifier: ModuleIdentifier) -> JSONValue {
    .object(
      ("identifier", .string("\(identifier)")),
      (
        "releases",
        .array(
          releases.map(\.json))
      ), ("active", active.map { .integer($0) }), ("floor", floor?.json), ("crashes", crashes?.json))
  }

  fileprivate init(_ object: inout JSONObject) throws(SignetError) {
    for release in try object.objects("releases", atMost: StoreState.releaseLimit) {
      var release = release
      let sequence = try release.sequence("sequence")
      guard releases.last.map({ $0.sequence < sequence }) ?? true else {
        throw release.wrong("sequence", "more than the one before it", "\(sequence)")
      }
      var read = StoreState.Release(sequence: sequence, sha256: try release.sha256("sha256"))
      if var file = try release.optionalObject("file") {
        read.file = FileDigests(
          size: try file.count("size"), sha256: try file.sha256("sha256"), fsverity: try file.fsverity("fsverity"))
        try file.finish()
      }
      releases.append(read)
      try release.finish()
    }
    active = object.has("active") ? try object.sequence("active") : nil
    if let active, release(active) == nil { throw object.wrong("active", "a release that is listed", "\(active)") }
    if var floor = try object.optionalObject("floor") {
      self.floor = try Floor(&floor)
    }
    if var crashes = try object.optionalObject("crashes") {
      self.crashes = StoreState.Crashes(
        sequence: try crashes.sequence("sequence"), count: try crashes.sequence("count"),
        minimumSequence: crashes.has("minimumSequence") ? try crashes.sequence("minimumSequence") : nil)
      try crashes.finish()
    }
    try object.finish()
  }
}

extension StoreState.Release {
  fileprivate var json: JSONValue {
    .object(
      ("sequence", .integer(sequence)), ("sha256", .string(sha256.hex)),
      (
        "file",
        file.map {
          .object(
            ("size", .integer($0.size)), ("sha256", .string($0.sha256.hex)), ("fsverity", .string("\($0.fsverity)")))
        }
      ))
  }
}

extension Floor {
  fileprivate init(_ object: inout JSONObject) throws(SignetError) {
    self.init(
      sequence: try object.sequence("sequence"), since: try object.time("since"),
      signers: try StoreState.signers(&object))
    try object.finish()
  }

  fileprivate var json: JSONValue {
    .object(
      ("sequence", .integer(sequence)), ("since", .string("\(since)")),
      (
        "signers",
        .array(
          signers.map { signer in
            .object(
              ("key", .string("\(signer.key)")),
              (
                "certificates",
                signer.certificates.isEmpty
                  ? nil
                  : .array(
                    signer.certificates.map {
                      .object(("serial", .string($0.serial)), ("issuer", .string($0.issuer)))
                    })
              ))
          })
      ))
  }
}

extension StoreState.Crashes {
  fileprivate var json: JSONValue {
    .object(
      ("sequence", .integer(sequence)), ("count", .integer(count)),
      ("minimumSequence", minimumSequence.map { .integer($0) }))
  }
}

extension StoreState.Note {
  fileprivate var json: JSONValue {
    .object(
      ("time", .string("\(time)")), ("user", .integer(user)), ("action", .string(action.rawValue)),
      ("module", module.map { .string("\($0)") }), ("sequence", sequence.map { .integer($0) }))
  }

  fileprivate init(_ object: JSONObject) throws(SignetError) {
    var object = object
    time = try object.time("time")
    user = try object.count("user")
    let name = try object.string("action")
    guard let action = Action.allCases.first(where: { $0.rawValue.isExactly(name) }) else {
      throw object.wrong("action", "something that is done by hand", name)
    }
    self.action = action
    module = object.has("module") ? try object.identifier("module") : nil
    sequence = object.has("sequence") ? try object.sequence("sequence") : nil
    try object.finish()
  }
}

extension JSONObject {
  fileprivate mutating func identifier(_ name: String) throws(SignetError) -> ModuleIdentifier {
    let text = try string(name)
    guard let identifier = ModuleIdentifier(text) else {
      throw wrong(name, "an identifier such as com.example.player", text)
    }
    return identifier
  }
}
