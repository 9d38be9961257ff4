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
    self.init(name, command, per: 1) { if let preparation { _ = try ChildProcess.run(preparation) } }
  }

  /// A program that does the same to several things; the sample's times are of one of them.
  ///
  /// - Parameters:
  ///   - count: how many things there are.
  ///   - preparation: what is done before each run, and not measured.
  init(_ name: String, _ command: Command, per count: Int, after preparation: @escaping () throws -> Void = {}) {
    self.name = name
    commandLine = command.shown
    measure = {
      try preparation()
      let run = try ChildProcess.run(command)
      return Sample(wall: run.wall / Double(count), cpu: run.cpu / Double(count), peak: run.peak)
    }
  }

  /// A function, which is called `calls` times; the sample is of one call.
  ///
  /// - Parameters:
  ///   - memory: bytes that its data have in memory, where that was measured.
  ///   - preparation: what is done before each sample, and not measured.
  init(
    _ name: String, calls: Int, memory: Int? = nil, after preparation: @escaping () throws -> Void = {},
    _ body: @escaping () throws -> Void
  ) {
    self.name = name
    commandLine = nil
    measure = {
      try Interruption.check()
      try preparation()
      let start = Clock.now()
      for _ in 0..<calls { try body() }
      let end = Clock.now()
      return Sample(
        wall: (end.wall - start.wall) / Double(calls), cpu: (end.cpu - start.cpu) / Double(calls), peak: memory)
    }
  }
}
