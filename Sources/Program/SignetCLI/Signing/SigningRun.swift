internal import SignetBase
internal import SignetFiles

/// What `signet sign` does with its targets, one after the other. Bundles of many small files are written in batches, and
/// each is reported once it is on the disk.
struct SigningRun {
  /// What became of a target.
  enum Result {
    case signed(SigningJob.Outcome)
    case skipped
    case failed(SignetError)
  }

  /// The bytes that are hashed, at most, before a batch is written: large files are reported one by one.
  private static let batchSize = 1 << 26

  /// The bundles that are written together; nil if each is written alone.
  let batch: OutputBatch?
  /// Signs one target, and gives the number of bytes that it hashed; nil for the number of a directory.
  ///
  /// With a batch, the bundle gets its name with those of the others.
  let sign: (SigningTargets.Target, OutputBatch?) throws(SignetError) -> (SigningJob.Outcome, size: Int?)
  private var waiting: [(target: SigningTargets.Target, result: Result, place: Int?)] = []
  private var size = 0

  init(
    batch: OutputBatch?,
    sign: @escaping (SigningTargets.Target, OutputBatch?) throws(SignetError) -> (SigningJob.Outcome, size: Int?)
  ) {
    self.batch = batch
    self.sign = sign
  }

  /// Signs all targets.
  ///
  /// - Parameter report: is told what became of each, in their order.
  /// - Throws: `output.standard`.
  mutating func run(
    _ targets: [SigningTargets.Target], report: (SigningTargets.Target, Result) throws(SignetError) -> Void
  ) throws(SignetError) {
    for target in targets {
      let before = batch?.count
      let result = try result(target, batch)
      // Where its bundle is in the batch, if it has a new one.
      waiting.append((target, result, batch?.count == before ? nil : before))
      // Without a batch, nothing waits.
      guard let batch, batch.count < OutputBatch.limit, size < Self.batchSize else {
        try flush(report)
        continue
      }
    }
    try flush(report)
  }

  private mutating func result(
    _ target: SigningTargets.Target, _ batch: OutputBatch?
  ) throws(SignetError) -> Result {
    guard target.fate == .signed else { return .skipped }
    do throws(SignetError) {
      let (outcome, size) = try sign(target, batch)
      self.size += size ?? Self.batchSize
      return .signed(outcome)
    } catch  where error.code != .standardOutput {
      return .failed(error)
    }
  }

  private mutating func flush(
    _ report: (SigningTargets.Target, Result) throws(SignetError) -> Void
  ) throws(SignetError) {
    let failures = Interruption.held { batch?.publish() ?? [] }
    for (target, result, place) in waiting {
      var result = result
      // Another run may have been quicker, or the file was named twice. Alone, it is found what is there now.
      if let place, failures[place] != nil { result = try self.result(target, nil) }
      try report(target, result)
    }
    (waiting, size) = ([], 0)
  }
}
