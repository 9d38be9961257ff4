internal import PluginKit
internal import SignetBase
internal import SignetSystem

extension PluginHost {
  /// Ends the process after a failure: with a sentence on standard error, and a status.
  ///
  /// An error that leaves `main` ends the process by a trap, which prints registers and counts as a crash of the
  /// modules on trial. This is an end in order.
  ///
  /// ```swift
  /// static func main() async {
  ///   do { try await run() } catch { PluginHost.end(with: error) }
  /// }
  /// ```
  ///
  /// - Parameter error: what has failed. Its status is 1 if something was examined and refused, and 2 if something
  ///   could not be done, as with the program `signet`.
  public static func end(with error: any Error) -> Never {
    let told = HostEnding(error)
    // If standard error is closed, nobody can be told.
    ProcessEnd.exit(told.status) { try? SystemCall.write(2, told.text) }
  }
}

/// What a host says, and how it ends, when it cannot go on.
struct HostEnding {
  let text: String
  let status: Int32

  init(_ error: any Error) {
    let known = error as? SignetError
    let hint = known?.hint ?? (error as? PluginError)?.hint
    text = "error: \("\(error)".visible)\n" + (hint.map { "next   \($0.visible)\n" } ?? "")
    status = known?.nature == .refusal ? 1 : 2
  }
}
