internal import ArgumentParser
internal import ModuleStore
internal import Signet
internal import SignetBase
internal import SignetCLI

struct StoreFloorCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "floor",
    abstract: "Show or reset the lowest sequences of a store.",
    discussion: """
      A module's floor is the highest sequence that has been loaded. --reset forgets it, so that an older release can \
      be installed and loaded. --reset-time forgets the latest time that the store has seen; use it after you have \
      corrected a wrong clock. The store records both.

      Examples:
        signet store floor --store modules --policy trust.json
        signet store floor --reset com.example.player --store modules \\
            --policy trust.json
      """)

  @Option(
    name: .long, help: ArgumentHelp("Forget this module's floor.", valueName: "identifier"),
    transform: ModuleIdentifier.argument)
  var reset: ModuleIdentifier?

  @Flag(name: .long, help: "Forget the latest time that the store has seen.")
  var resetTime = false

  @OptionGroup var options: StoreOptions
  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    if reset != nil && resetTime { throw ValidationError("Give --reset or --reset-time, not both.") }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.judging("store floor", about: options.store, on: console) { (run) throws(SignetError) in
      let store = try options.open(console)
      if resetTime {
        try store.resetLatestTime()
        try console.result("reset: the latest time seen")
        return run.did([.object(("verdict", .string("time-reset")))])
      }
      if let module = reset {
        return run.did([try reset(module, store, console)])
      }
      run.did(try show(store, console))
    }
  }

  private func reset(
    _ module: ModuleIdentifier, _ store: ModuleStore, _ console: Console
  ) throws(SignetError) -> JSONValue {
    let floor = try store.resetFloor(module)
    try console.result(floor.map { "reset: \(module), whose floor was \($0.words)" } ?? "\(module) has no floor")
    return .object(
      ("identifier", .string("\(module)")), ("verdict", .string(floor == nil ? "none" : "reset")),
      ("sequence", floor.map { .integer($0.sequence) }))
  }

  private func show(_ store: ModuleStore, _ console: Console) throws(SignetError) -> [JSONValue] {
    var lines: [String] = []
    var entries: [JSONValue] = []
    for (module, floor) in try store.floors().sorted(by: { "\($0.key)" < "\($1.key)" }) {
      lines.append("\(module): \(floor.words)")
      entries.append(
        .object(
          ("identifier", .string("\(module)")), ("floorOf", .string("store")), ("sequence", .integer(floor.sequence)),
          ("since", .string("\(floor.since)")), ("keyIds", .array(floor.keys.map { .string("\($0)") }))))
    }
    for (module, floor) in store.policy.floors.sorted(by: { "\($0.key)" < "\($1.key)" }) {
      lines.append("\(module): \(floor), the policy's")
      entries.append(
        .object(
          ("identifier", .string("\(module)")), ("floorOf", .string("policy")), ("sequence", .integer(floor))))
    }
    try console.result(lines.isEmpty ? ["no floors"] : lines)
    return entries
  }
}
