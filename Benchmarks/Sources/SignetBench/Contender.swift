/// One side of a comparison: a program, or a function in this process.
struct Contender {
  /// What the tables call it.
  let name: String
  /// The command line as the report shows it; nil for a function.
  let commandLine: String?
  /// Runs it once.
  let measure: () throws -> Sample

  /// A program.
  ///
  /// - Parameter preparation: what is run before each run, and not measured.
  init(_ name: String, _ command: Command, after preparation: Command? = nil) {
    self.name = name
    commandLine = command.shown
    measure = {
      if let preparation { _ = try ChildProcess.run(preparation) }
      return try ChildProcess.run(command)
    }
  }

  /// A function, which is called `calls` times; the sample is of one call.
  ///
  /// - Parameter preparation: what is done before each sample, and not measured.
  init(
    _ name: String, calls: Int, after preparation: @escaping () -> Void = {}, _ body: @escaping () throws -> Void
  ) {
    self.name = name
    commandLine = nil
    measure = {
      try Interruption.check()
      preparation()
      let start = Clock.now()
      for _ in 0..<calls { try body() }
      let end = Clock.now()
      return Sample(
        wall: (end.wall - start.wall) / Double(calls), cpu: (end.cpu - start.cpu) / Double(calls), peak: nil)
    }
  }
}
