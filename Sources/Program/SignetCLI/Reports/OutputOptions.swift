internal import ArgumentParser
package import SignetBase
internal import SignetFiles

/// How much is printed, and in which form.
package struct OutputOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  package var quiet = false

  @Flag(name: .long, help: "Print one JSON object on standard output instead of text.")
  package var json = false

  package init() {}

  package var console: Console { Console(isQuiet: quiet, isJSON: json) }
}

extension SignetError {
  /// Runs an operation that an existing file can stop, in a command that replaces the file with `--force`.
  package static func offeringForce<Value>(_ body: () throws(SignetError) -> Value) throws(SignetError) -> Value {
    do throws(SignetError) {
      return try body()
    } catch  where error.code == .outputExists {
      var error = error
      error.hint = "choose another name, or replace it with --force"
      throw error
    }
  }
}
