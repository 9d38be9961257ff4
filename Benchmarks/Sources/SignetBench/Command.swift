/// A program and its arguments.
struct Command {
  /// A path, or a name to be looked up in PATH.
  let program: String
  let arguments: [String]
  /// The command line as it may be printed: without the folder the program is in.
  let shown: String

  init(_ program: String, _ arguments: String...) {
    self.program = program
    self.arguments = arguments
    let name = program.split(separator: "/").last.map(String.init) ?? program
    shown = ([name] + arguments).joined(separator: " ")
  }

  /// A command whose line reads better in other words: it is long, or the program's path says nothing.
  init(_ program: String, _ arguments: [String], shown: String) {
    self.program = program
    self.arguments = arguments
    self.shown = shown
  }
}
