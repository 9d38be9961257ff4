internal import ArgumentParser

/// How much is said, and in which form.
struct OutputOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  @Flag(name: .long, help: "Print one JSON object on standard output instead of text.")
  var json = false

  var console: Console { Console(isQuiet: quiet, isJSON: json) }
}
