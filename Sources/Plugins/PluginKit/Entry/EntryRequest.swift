internal import CSignetPlugin

/// The request that a handler in C reads through a pointer. It is valid until the handler returns.
final class EntryRequest: Sendable {
  let url: PluginURL?
  private let action: String
  private let sender: ModuleOwner
  private let find: @Sendable (String) -> (any Sendable)?
  private let findGiven: @Sendable (String) -> (any Sendable)?
  private let arena = ValueArena()

  init(_ request: RouteRequest) {
    url = request.url
    action = ""
    sender = request.sender
    find = { request[$0] }
    findGiven = { request.userInfo[$0] }
  }

  init(_ input: ActionInput, of action: String) {
    url = input.url
    self.action = action
    sender = input.sender
    find = { input[$0] }
    findGiven = { [isOfCode = input.url == nil] in isOfCode ? input[$0] : nil }
  }

  var urlText: signet_text { unsafe arena.text((url?.text ?? "").utf8) }

  var actionText: signet_text { unsafe arena.text(action.utf8) }

  var senderText: signet_text { unsafe arena.text((sender.identifier ?? "").utf8) }

  func value(_ name: String) -> signet_value { unsafe arena.value(find(name)) }

  func given(_ name: String) -> signet_value { unsafe arena.value(findGiven(name)) }
}

/// The replies that a module owes, by number.
///
/// A number cannot dangle as a pointer would, even if a reply is answered twice or never. And no module can answer for
/// another.
final class EntryReplies: Sendable {
  private struct State {
    var replies: [UInt64: RouteReply] = [:]
    var next: UInt64 = 1
  }

  private let state = ReadWriteLock(State())

  func add(_ reply: RouteReply) -> UInt64 {
    let number = state.write { state in
      defer { state.next += 1 }
      state.replies[state.next] = reply
      return state.next
    }
    // After an answer, or when the limit has passed, nothing waits for the reply any longer.
    reply.onFinish { [self] in _ = take(number) }
    return number
  }

  func take(_ number: UInt64) -> RouteReply? { state.write { $0.replies.removeValue(forKey: number) } }
}
