public import PluginKit

/// Why a method of a class could not be called by its name.
public struct PTInvocationError: Error, Sendable {
  /// The domain of the errors.
  public static let domain = "com.TLInvocationHelper.performClass"

  /// What went wrong, for programs. The numbers are those of the original.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: Int

    /// Makes a code from its number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// No loaded module has the class, or its module is refused. The cause says which.
    public static let noClass = Code(rawValue: 0)
    /// The class has no such method.
    public static let noSelector = Code(rawValue: 1)
    /// The method takes parameters and the caller gives none, or the other way round.
    public static let paramUnmatch = Code(rawValue: 2)
    /// The method was called, and failed or gave no answer. The cause says why.
    public static let failed = Code(rawValue: 3)
  }

  /// What went wrong.
  public let code: Code
  /// The class that was asked for.
  public let className: String
  /// The selector that was asked for.
  public let selector: String
  /// The underlying error, or nil.
  public let cause: PluginError?

  /// Makes an error.
  public init(_ code: Code, _ className: String, _ selector: String, cause: PluginError? = nil) {
    self.code = code
    self.className = className
    self.selector = selector
    self.cause = cause
  }
}

extension PTInvocationError: CustomStringConvertible {
  /// The error in one line.
  public var description: String {
    let name = PluginURL.shown("\(className) \(selector)")
    let text =
      switch code {
      case .noClass: "is not a class of a loaded module"
      case .noSelector: "is not a method of the class"
      case .paramUnmatch: "takes another number of parameters"
      default: "failed"
      }
    return "\(Self.domain) \(code.rawValue): \(name): \(text)" + (cause.map { " (\($0))" } ?? "")
  }
}

/// A selector: the name of a method, with a colon for each parameter.
struct PTSelector {
  let text: String

  init(_ text: String) { self.text = text }

  /// The number of parameters.
  var count: Int { text.utf8.count { $0 == UInt8(ascii: ":") } }

  /// The action that stands for the method. A name of an action has no colon, so `_` stands for it.
  var action: String { String(text.map { $0 == ":" ? "_" : $0 }) }
}
