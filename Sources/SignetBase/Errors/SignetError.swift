/// The reason why something could not be done or was refused.
///
/// It is a value rather than an enum, so that a new kind of failure does not break existing code. Programs look at
/// ``code``, people read the rest. The text never contains key material, and no hint says how to get around a failed
/// verification.
public struct SignetError: Error, Sendable {
  /// A stable, dotted identifier such as `digest.mismatch`.
  ///
  /// Codes are part of the interface: once released, they keep their meaning.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The dotted text.
    public let rawValue: String

    /// Makes a code from its dotted text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Makes a code from its dotted text.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// The dotted text.
    public var description: String { rawValue }
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
