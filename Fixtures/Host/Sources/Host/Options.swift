/// What the program was started with.
struct Options {
  var policy = ""
  var store = ""
  var catalogue: String?
  var embedded: String?
  /// Commands; none when they stand on standard input.
  var commands: [String] = []

  init(_ arguments: some Sequence<String>) throws(UsageError) {
    var arguments = arguments.makeIterator()
    while let argument = arguments.next() {
      guard argument.hasPrefix("--") else {
        commands.append(argument)
        continue
      }
      guard let value = arguments.next(), !value.isEmpty else { throw UsageError("\(argument) takes a value") }
      switch argument {
      case "--policy": policy = value
      case "--store": store = value
      case "--catalogue": catalogue = value
      case "--embedded": embedded = value
      default: throw UsageError("\(argument) is no option")
      }
    }
    guard !policy.isEmpty, !store.isEmpty else { throw UsageError("--policy and --store are needed") }
  }
}

/// A command line that cannot be understood.
struct UsageError: Error, CustomStringConvertible {
  let description: String

  init(_ problem: String) {
    description = """
      Host: \(problem)
      usage: Host --policy FILE --store DIR [--catalogue FILE.json] [--embedded DIR] [COMMAND…]
      commands: list, store, tap N, install ARCHIVE, open URI, perform URI, forecast CITY, measure CITY DEGREES, events, quit
      """
  }
}
