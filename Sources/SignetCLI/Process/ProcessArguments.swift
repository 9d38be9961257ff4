/// What the process was called with.
enum ProcessArguments {
  /// The arguments without the program's name; nil when one of them is not UTF-8. Swift would mend it, and then mean
  /// another file than the one that was named.
  static var all: [String]? {
    var arguments: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let pointer = unsafe CommandLine.unsafeArgv[index], let text = unsafe String(validatingCString: pointer)
      else { return nil }
      arguments.append(text)
    }
    return arguments
  }
}
