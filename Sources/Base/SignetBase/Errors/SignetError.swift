/// The reason why something could not be done or was refused.
///
/// It is a value rather than an enum, so that a new kind of failure does not break existing code. Programs look at
/// ``code``, people read the rest. The text never contains key material, and no hint says how to get around a failed
/// verification.
public struct SignetError: Error, Sendable {
  /// A stable, dotted identifier such as `digest.mismatch`.
  ///
  /// Codes are part of the interface: once released, they keep their meaning.
  public struct Code: Sendable {
    /// The dotted text.
    public let rawValue: String
    /// What an error with this code says.
    public let nature: Nature

    /// Makes a code.
    ///
    /// - Parameters:
    ///   - rawValue: the dotted text.
    ///   - nature: what an error with this code says. Two codes with the same text are the same, so each code is declared
    ///     in one place.
    public init(_ rawValue: String, _ nature: Nature) {
      self.rawValue = rawValue
      self.nature = nature
    }

    /// What an error says: of what was examined, of the examination, or of the question.
    public enum Nature: Sendable, CaseIterable {
      /// Something was examined, and is not accepted.
      case refusal
      /// What was asked for could not be done, so that nothing is known about what should have been examined.
      case failure
      /// What was asked for is wrong, so that nothing was begun.
      case usage
    }
  }

  /// What went wrong, for programs.
  public var code: Code
  /// The file, key or field concerned, as the caller named it.
  public var object: String
  /// What went wrong, for people: lower case, no final period.
  public var message: String
  /// The value that would have been right, if it can be named.
  public var expected: String?
  /// The value that was found instead.
  public var found: String?
  /// The underlying failure: another ``SignetError``, a `SystemFailure` or an `OpenSSLFailure`.
  public var cause: (any Error)?
  /// Advice on what to do next.
  public var hint: String?
  /// Whether it is the reason of a verdict: then it is a refusal, whatever its code says elsewhere.
  package var isVerdict = false

  /// What the error says: of what was examined, of the examination, or of the question.
  public var nature: Code.Nature { isVerdict ? .refusal : code.nature }

  /// Creates an error; only the code, the object and the message are required.
  public init(
    _ code: Code, _ object: String, _ message: String, expected: String? = nil, found: String? = nil,
    cause: (any Error)? = nil, hint: String? = nil
  ) {
    self.code = code
    self.object = object
    self.message = message
    self.expected = expected
    self.found = found
    self.cause = cause
    self.hint = hint
  }

  /// Returns this error with another object.
  ///
  /// Inner layers do not know the caller's name for a file, so the caller puts it in.
  public func about(_ object: String) -> SignetError {
    var copy = self
    copy.object = object
    return copy
  }
}

extension SignetError.Code: Hashable, CustomStringConvertible {
  /// Whether two codes have the same text.
  public static func == (one: Self, other: Self) -> Bool { one.rawValue.utf8.elementsEqual(other.rawValue.utf8) }

  /// Hashes the text.
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

  /// The dotted text.
  public var description: String { rawValue }
}

extension SignetError: CustomStringConvertible {
  /// The error in one line: code, object and message, then expected and found values and the cause, as far as there
  /// are any.
  public var description: String {
    var text = "\(code): \(object): \(message)"
    if let expected { text += "; expected \(expected)" }
    if let found { text += "; found \(found)" }
    if let cause { text += " (\(cause))" }
    return text
  }
}
