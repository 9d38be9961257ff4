import PluginKit
import SignetBase
import Testing

/// Runs something that has to be refused with this code.
func expectPluginError<Result>(
  _ code: PluginError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Result
) {
  do {
    let result = try body()
    Issue.record("gave \(result) instead of \(code)", sourceLocation: sourceLocation)
  } catch {
    #expect((error as? PluginError)?.code == code, "\(error)", sourceLocation: sourceLocation)
  }
}
