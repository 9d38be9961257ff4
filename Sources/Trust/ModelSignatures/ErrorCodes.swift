package import SignetBase

extension SignetError.Code {
  /// A statement about a model does not have the form of its specification.
  package static let modelMalformed = Self("model.malformed", .refusal)
  /// A statement about a model uses what is not read here, such as another hash.
  package static let modelUnsupported = Self("model.unsupported", .refusal)
}
