import PluginKit
import Synchronization

extension ModuleContext {
  /// Posts a question, and gives the text of the answer: notifications are heard before posting returns.
  func answer(
    to question: String, by answer: String, _ values: [String: any Sendable]
  ) throws(PluginError) -> String? {
    let heard = Heard()
    let token = try observe(notification: answer) { heard.set($0.userInfo["text"] as? String) }
    try post(question, userInfo: values)
    token.cancel()
    return heard.text
  }
}

private final class Heard: Sendable {
  private let storage = Mutex<String?>(nil)
  var text: String? { storage.withLock { $0 } }

  func set(_ text: String?) { storage.withLock { $0 = text } }
}
