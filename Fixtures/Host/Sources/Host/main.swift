import PluginHost
import Signet
import SignetCrypto

// A terminal program that takes modules in: commands stand on the command line, or else on standard input, one a line.
// What is refused is said, and the program goes on.
do {
  let options = try Options(CommandLine.arguments.dropFirst())
  let session = try Session(options)
  try await session.start()
  if options.commands.isEmpty {
    while let line = readLine(), await session.run(line) {}
  } else {
    for line in options.commands where await !session.run(line) { break }
  }
} catch let error as UsageError {
  Output.complain(error.description)
  Output.end(64)
} catch {
  Output.complain("\(error)")
  Output.end(2)
}
