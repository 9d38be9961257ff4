internal import ArgumentParser
internal import Signet
internal import SignetBase

/// How much is said, and in which form.
struct OutputOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  @Flag(name: .long, help: "Print one JSON object on standard output instead of text.")
  var json = false

  var console: Console { Console(isQuiet: quiet, isJSON: json) }
}

extension SignetError {
  /// Runs what is stopped by a file that exists, in a command that replaces one with `--force`.
  static func offeringForce<Value>(_ body: () throws(SignetError) -> Value) throws(SignetError) -> Value {
    do throws(SignetError) {
      return try body()
    } catch  where error.code == .outputExists {
      var error = error
      error.hint = "choose another name, or replace it with --force"
      throw error
    }
  }
}
