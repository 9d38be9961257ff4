internal import Signet
internal import SignetBase
internal import SignetCrypto

extension StoreState {
  /// The version of the format.
  private static let version = 2
  /// Room for a thousand modules with their releases, floors and crashes, and more. What is written has to be readable
  /// again. Every value of this format takes eight bytes or more with its name, so a text of 8 MiB has no more values
  /// than that.
  static let limits = JSONLimits(size: 8 << 20, depth: 12, values: 1 << 20)
  /// The greatest number of signers of a release: as many as bundles are read for one artifact.
  private static let signerLimit = SignatureSource.bundleLimit
  /// The greatest number of certificates in a path: eight that are sent along, and the anchor.
  private static let certificateLimit = 9

  /// The text of the file: canonical JSON and a newline.
  ///
  /// - Throws: `store.bounds` if the text could not be read again.
  func text() throws(SignetError) -> [UInt8] {
    let modules = modules.sorted { "\($0.key)".precedesInBytes("\($1.key)") }
    let text = try CanonicalJSON.write(
      .object(
        ("version", .integer(Self.version)), ("latestTime", latestTime.map { .string("\($0)") }),
        ("aheadTime", aheadTime.map { .string("\($0)") }),
        ("modules", .array(modules.map { $0.value.json($0.key) })),
        ("manifests", manifests.isEmpty ? nil : .array(manifestsJSON)),
        ("counted", countedRuns.isEmpty ? nil : .array(countedJSON)), ("notes", .array(notes.map(\.json)))))
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

  private var countedJSON: [JSONValue] {
    countedRuns.sorted { $0.key.precedesInBytes($1.key) }.map { journal, runs in
      .object(("journal", .string(journal)), ("runs", .integer(runs)))
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
      let aheadTime = try object.optionalTime("aheadTime")
      var modules: [ModuleIdentifier: ModuleRecord] = [:]
      for module in try object.objects("modules", atMost: Self.moduleLimit) {
        var module = module
        let identifier = try module.identifier("identifier")
        guard modules.updateValue(try ModuleRecord(&module), forKey: identifier) == nil else {
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
      var counted: [String: Int] = [:]
      for journal in try object.has("counted") ? object.objects("counted", atMost: LoadingJournal.limit) : [] {
        var journal = journal
        let name = try journal.string("journal")
        guard counted.updateValue(try journal.count("runs"), forKey: name) == nil else {
          throw journal.wrong("journal", "each journal once", name)
        }
        try journal.finish()
      }
      var notes: [Note] = []
      for note in try object.objects("notes", atMost: Self.noteLimit) { notes.append(try Note(note)) }
      try object.finish()
      self.init(
        modules: modules, manifests: manifests, latestTime: latestTime, aheadTime: aheadTime, countedRuns: counted,
        notes: notes)
    } catch {
      throw SignetError(
        .storeStateMalformed, path, "is not a store's state", cause: error,
        hint: "restore the file from a backup; a new store has no floors")
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

extension ModuleRecord {
  fileprivate func json(_ identifier: ModuleIdentifier) -> JSONValue {
    .object(
      ("identifier", .string("\(identifier)")), ("releases", .array(releases.map(\.json))), ("floor", floor?.json),
      ("signing", signing.map { .object(("sequence", .integer($0.sequence)), ("record", $0.record.json)) }),
      ("crashes", crashes.isEmpty ? nil : .array(crashes.map(\.json))))
  }

  fileprivate init(_ object: inout JSONObject) throws(SignetError) {
    for release in try object.objects("releases", atMost: Self.releaseLimit) {
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
      read.hasRunWell = try release.flag("ranWell")
      releases.append(read)
      try release.finish()
    }
    if var floor = try object.optionalObject("floor") {
      self.floor = try Floor(&floor)
    }
    if var signing = try object.optionalObject("signing") {
      self.signing = Signing(
        sequence: try signing.sequence("sequence"), record: try SigningRecord(signing.object("record")))
      try signing.finish()
    }
    for crash in try object.has("crashes") ? object.objects("crashes", atMost: Self.crashLimit) : [] {
      var crash = crash
      let record = try CrashRecord(&crash)
      guard crashes.last.map({ $0.sequence < record.sequence }) ?? true else {
        throw crash.wrong("sequence", "more than the one before it", "\(record.sequence)")
      }
      crashes.append(record)
      try crash.finish()
    }
    try object.finish()
  }
}

extension JSONObject {
  /// A member that is `true` or absent.
  fileprivate mutating func flag(_ name: String) throws(SignetError) -> Bool {
    guard let value = try optionalBool(name) else { return false }
    guard value else { throw wrong(name, "true, or nothing", "false") }
    return true
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
      ), ("ranWell", hasRunWell ? JSONValue(.bool(true)) : nil))
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
      ("sequence", .integer(sequence)), ("since", .string("\(since)")), ("signers", Self.json(signers)))
  }

  fileprivate static func json(_ signers: [Signer]) -> JSONValue {
    .array(
      signers.map { signer in
        let certificates = signer.certificates.map {
          JSONValue.object(("serial", .string($0.serial)), ("issuer", .string($0.issuer)))
        }
        return .object(
          ("key", .string("\(signer.key)")), ("certificates", certificates.isEmpty ? nil : .array(certificates)))
      })
  }
}

extension CrashRecord {
  fileprivate var json: JSONValue {
    .object(
      ("sequence", .integer(sequence)), ("count", .integer(count)),
      ("setAside", wasSetAside ? JSONValue(.bool(true)) : nil), ("lane", lane.map { .integer($0) }),
      (
        "suspicion",
        suspicion.map {
          .object(("crash", .integer($0.crash)), ("grade", .string($0.grade.rawValue)))
        }
      ),
      (
        "release",
        release.map { facts in
          .object(
            ("version", .string("\(facts.version)")),
            ("minimumSequence", facts.minimumSequence.map { .integer($0) }), ("signers", Floor.json(facts.signers)))
        }
      ))
  }

  fileprivate init(_ object: inout JSONObject) throws(SignetError) {
    self.init(sequence: try object.sequence("sequence"))
    count = try object.count("count")
    guard count <= Self.limit else { throw object.wrong("count", "at most \(Self.limit)", "\(count)") }
    wasSetAside = try object.flag("setAside")
    guard wasSetAside || !isSetAside else { throw object.wrong("setAside", "true", "nothing") }
    if object.has("lane") {
      let number = try object.sequence("lane")
      guard number <= StoreState.laneLimit else {
        throw object.wrong("lane", "at most \(StoreState.laneLimit)", "\(number)")
      }
      lane = number
    }
    if var suspicion = try object.optionalObject("suspicion") {
      let crash = try suspicion.sequence("crash")
      let name = try suspicion.string("grade")
      guard let grade = Suspicion.Grade.allCases.first(where: { $0.rawValue.isExactly(name) }) else {
        throw suspicion.wrong("grade", "weak, strong, loading or passed", name)
      }
      self.suspicion = Suspicion(crash: crash, grade: grade)
      try suspicion.finish()
    }
    if var facts = try object.optionalObject("release") {
      let text = try facts.string("version")
      guard let version = SemanticVersion(text) else { throw facts.wrong("version", "a version such as 1.2.0", text) }
      release = Facts(
        version: version,
        minimumSequence: facts.has("minimumSequence") ? try facts.sequence("minimumSequence") : nil,
        signers: try StoreState.signers(&facts))
      try facts.finish()
    }
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
