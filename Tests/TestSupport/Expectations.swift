import SignetBase
import SignetCrypto
import Testing

/// Expects a refusal with exactly this code, and gives it back for a closer look.
@discardableResult
public func expectError(
  _ code: SignetError.Code, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) -> SignetError? {
  do {
    try body()
    Issue.record("nothing was thrown, expected \(code)", sourceLocation: sourceLocation)
  } catch let error as SignetError {
    #expect(error.code == code, comment, sourceLocation: sourceLocation)
    return error
  } catch {
    Issue.record("expected \(code), got \(error)", sourceLocation: sourceLocation)
  }
  return nil
}

extension SignetError.Code {
  /// The code with a text, to compare with: two codes with the same text are the same.
  public init(_ text: String) { self.init(text, .failure) }
}
