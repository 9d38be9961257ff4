import Glibc
import PluginKit

// Loads the libraries that it is given, and says what came of each; then goes through its script. Everything it prints is
// the same every time.
do {
  let script = Script(board: Switchboard())
  let modules = try Module.known()
  for path in CommandLine.arguments.dropFirst() {
    guard let module = modules.first(where: { path.hasSuffix("/" + $0.library) }) else {
      throw LoadingError("\(path) is no library of a module that this host knows")
    }
    script.title(module.library)
    do { try module.enter(path, script.board) } catch let error as PluginError { print(error) }
    for line in script.table(module.declaration.identifier) { print(line) }
  }
  script.ask()
  script.cast()
  try script.tell()
  try script.reply()
  script.remove("guide")
} catch {
  print(error)
  exit(1)
}
