import Testing

/// Waits until something holds that is bound to; half an hour of waiting is a failure, so that a test that hangs ends.
public func eventually(_ condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation) async throws {
  for _ in 0..<360_000 {
    if condition() { return }
    try await Task.sleep(for: .milliseconds(5))
  }
  try #require(condition(), sourceLocation: sourceLocation)
}
