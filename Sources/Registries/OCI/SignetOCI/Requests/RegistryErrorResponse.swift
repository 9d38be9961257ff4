internal import SignetBase
internal import SignetHTTP

/// An error response of a registry.
struct RegistryErrorResponse {
  private let answer: HTTPResponse

  init(_ answer: HTTPResponse) { self.answer = answer }

  /// The registry's own code and words for what is wrong (OCI distribution-spec, "Error Codes"); nil if it has none.
  private var words: String? {
    guard let value = try? JSONReader.read(answer.body, limits: JSONLimits(size: 64 << 10, depth: 16, values: 5000)),
      var object = try? JSONObject(value, "answer", unknownField: .ociDocument),
      var first = try? object.objects("errors", atMost: 100).first
    else { return nil }
    let code = ((try? first.optionalString("code")) ?? nil) ?? ""
    let message = ((try? first.optionalString("message")) ?? nil) ?? ""
    let text = [code, message].filter { !$0.isEmpty }.joined(separator: ": ")
    return text.isEmpty ? nil : text
  }

  /// Whether the registry names one of these codes.
  func names(_ codes: [String]) -> Bool {
    let words = words ?? ""
    return codes.contains { words.utf8.starts(with: "\($0)".utf8) }
  }

  /// The failure that the answer is.
  ///
  /// - Parameters:
  ///   - object: what was asked for.
  ///   - message: what went wrong.
  func failure(_ object: String, _ message: String) -> FetchFailure {
    let found = "status \(answer.status)" + (words.map { ", \($0.display)" } ?? "")
    switch answer.status {
    case 401, 403:
      return .final(
        SignetError(
          .ociDenied, object, message, found: found,
          hint: "check the credentials, for example in docker's config.json, and what they allow"))
    case 408, 429, 500, 502, 503, 504:
      var failure = FetchFailure.transient(
        SignetError(.ociRefused, object, message, found: found, hint: "try again later"))
      failure.retryAfter = ((try? answer.field("retry-after")) ?? nil).flatMap { text in
        // The other form, a date, would have to be compared with a clock.
        (1...6).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
      }
      return failure
    default:
      return .final(
        SignetError(
          .ociRefused, object, message, found: found, hint: "ask the registry's administrator"))
    }
  }
}
