internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// Reads, verifies and examines all files of a release, on all cores.
struct Inspector: Sendable {
  let verifier: Verifier
  let settings: RuleSettings
  let progress: ProgressCounter?

  /// What was found out about a release.
  struct Inspected: Sendable {
    /// The artifacts, sorted by the bytes of their paths.
    var artifacts: [ExaminedArtifact] = []
    /// Every file as a report has it, sorted by the bytes of their paths.
    var files: [GateReport.File] = []
    /// The folders that are no artifacts, sorted by the bytes of their paths.
    var folders: [GateReport.Folder] = []
    /// What the rules have found about artifacts.
    var findings: [GateReport.Finding] = []
  }

  /// What was found out about one file.
  private struct Result: Sendable {
    var artifact: ExaminedArtifact?
    var file: GateReport.File
    var findings: [GateReport.Finding] = []
  }

  /// Examines every file, and lets the rules look at the artifacts and at what they hold.
  ///
  /// - Throws: the first failure, in the order of the paths.
  func inspect(_ files: ReleaseFiles) throws(SignetError) -> Inspected {
    let wanted = files.files.filter { !$0.hasNoLine }
    let results = try map(wanted) { (file) throws(SignetError) in try inspect(file, of: files, among: wanted.count) }
    var inspected = Inspected()
    inspected.folders = files.places.map { GateReport.Folder(path: $0.path, mode: $0.mode) }
    for result in results {
      inspected.files.append(result.file)
      result.artifact.map { inspected.artifacts.append($0) }
      inspected.findings += result.findings
    }
    return inspected
  }

  /// Verifies every artifact of another release, sorted by the bytes of their paths. Nothing else there is read.
  ///
  /// - Throws: the first failure, in the order of the paths.
  func artifacts(of files: ReleaseFiles) throws(SignetError) -> [ExaminedArtifact] {
    try map(files.files.filter { $0.bundles != nil }) { (file) throws(SignetError) in
      try ArtifactInspection(
        file, bundles: bundles(of: file, in: files), files: files, verifier: verifier, progress: progress
      ).artifact
    }
  }

  /// Does something with each file on all cores. The largest are begun first, so that no core is left with one at the
  /// end.
  private func map<Value: Sendable>(
    _ files: [ReleaseFile], _ body: @escaping @Sendable (ReleaseFile) throws(SignetError) -> Value
  ) throws(SignetError) -> [Value] {
    let order = files.indices.sorted { (files[$0].size, $1) > (files[$1].size, $0) }
    for file in files where file.kind == .regular { progress?.expect(file.size) }
    return try WorkerThreads.map(files.count, startingWith: order) { (number) throws(SignetError) in
      try body(files[number])
    }
  }

  private func inspect(
    _ file: ReleaseFile, of files: ReleaseFiles, among count: Int
  ) throws(SignetError) -> Result {
    switch file.role {
    case .artifact, .directory:
      let inspection = try ArtifactInspection(
        file, bundles: bundles(of: file, in: files), files: files, verifier: verifier, progress: progress)
      return Result(
        artifact: inspection.artifact, file: GateReport.File(inspection.artifact, mode: file.mode),
        findings: try inspection.findings(settings, among: count))
    case .bundle(let artifact, _), .attestation(let artifact, _):
      return try inspect(bundle: file, of: artifact, files, among: count)
    case .excluded(let pattern): return Result(file: try read(file, of: files, .excluded(by: "\(pattern)")))
    case .link(let target): return Result(file: try read(file, of: files, .link(to: target)))
    case .part, .folder:
      throw SignetError(.fileReadFailed, file.path, "is not a file of its own")
    }
  }

  /// The paths of an artifact's bundles, with its verification summary if the trust policy demands one.
  private func bundles(of file: ReleaseFile, in files: ReleaseFiles) -> [String] {
    let bundles = file.bundles ?? []
    guard verifier.policy.summary != nil else { return bundles }
    let path = BundleFile.single("\(file.path).\(SummaryPredicate.label)")
    guard let found = files.file(at: path), case .attestation = found.role else { return bundles }
    return bundles + [path]
  }

  /// Hashes a file of signatures, and lets the rules look at its bytes: not everything in it is signed.
  private func inspect(
    bundle file: ReleaseFile, of artifact: String, _ files: ReleaseFiles, among count: Int
  ) throws(SignetError) -> Result {
    var result = Result(file: try read(file, of: files, .bundle(of: artifact)))
    let bytes = try files.open(file)
    let examined = ExaminedArtifact(
      path: file.path, isDirectory: false, size: bytes.size, sha256: result.file.sha256, .notVerified)
    var walk = ContentWalk(examined, settings, among: count)
    try walk.read(bytes, as: nil, mode: file.mode)
    try bytes.checkUnchanged()
    result.findings = walk.findings
    return result
  }

  /// Hashes a file that is no artifact: its bytes, or where it leads. A special file that is left out has no bytes.
  private func read(
    _ file: ReleaseFile, of files: ReleaseFiles, _ role: GateReport.Role
  ) throws(SignetError) -> GateReport.File {
    guard file.kind == .regular else {
      let text = file.target ?? []
      return GateReport.File(
        path: file.path, size: text.count, sha256: try Digest.of(text, .sha256), mode: nil, role: role,
        kind: file.kind == .symbolicLink ? .link : .special)
    }
    let open = try files.open(file)
    return GateReport.File(
      path: file.path, size: open.size, sha256: try open.sha256(progress: progress), mode: file.mode, role: role)
  }
}

extension ReleaseFile {
  /// The paths of an artifact's bundles; nil if it is no artifact.
  fileprivate var bundles: [String]? {
    switch role {
    case .artifact(let bundles), .directory(let bundles): bundles
    default: nil
    }
  }

  /// Whether the file needs no line of its own in a report: it is in a directory that is signed as a whole, or it is a
  /// folder.
  fileprivate var hasNoLine: Bool {
    switch role {
    case .part, .folder: true
    case .excluded: kind == .directory
    default: false
    }
  }
}
