/// A question over everything that is shown, with choices.
public struct Alert: Sendable, Equatable {
  /// The title, or the whole text.
  public var title: String
  /// A longer text; nil if the title is enough.
  public var message: String?
  /// The text of the choice with index 0, which gives no answer; nil if the host has a text for it.
  public var cancel: String?
  /// The texts of the choices with the indexes from 1 on.
  public var choices: [String]
  /// Who asks. The alert disappears with its owner.
  public internal(set) var owner = ModuleOwner.host

  /// Makes an alert.
  ///
  /// - Parameters:
  ///   - title: the title, or the whole text.
  ///   - message: a longer text.
  ///   - cancel: the text of the choice with index 0.
  ///   - choices: the texts of the choices with the indexes from 1 on.
  public init(_ title: String, message: String? = nil, cancel: String? = nil, choices: [String] = []) {
    self.title = title
    self.message = message
    self.cancel = cancel
    self.choices = choices
  }
}

/// How a page that was opened is shown.
public enum Presentation: Sendable, Equatable {
  /// In a window of its own over everything, until the next page is opened.
  case intro
  /// On top of the visible stack. An intro window that was shown before is hidden.
  case push(previousHidden: Bool)
  /// Over everything, because there is no stack.
  case present
}
