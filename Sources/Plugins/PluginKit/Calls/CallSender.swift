/// The mark of a module's call of a URL, which says whose call it is.
///
/// It travels among the caller's values, through whatever finds and runs the handlers, up to the request, which takes it
/// out. Nobody else can make one, and a value under its key that is something else is dropped there. So no module can
/// pass for another one, or for the host.
struct CallSender: Sendable {
  static let key = "signet.sender"

  let owner: ModuleOwner

  /// Takes the mark out of the values of a call.
  static func take(from values: inout [String: any Sendable]) -> ModuleOwner {
    guard !values.isEmpty, let mark = values.removeValue(forKey: key) else { return .host }
    return (mark as? CallSender)?.owner ?? .host
  }
}
