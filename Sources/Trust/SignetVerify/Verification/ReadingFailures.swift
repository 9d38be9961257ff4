package import SignetBase
internal import SignetCrypto
internal import SignetSystem

extension SignetError {
  /// Whether the bytes could not be read or hashed, which says nothing about them.
  package var isAboutReading: Bool { Self.readingFailures.contains(code) }
  private static let readingFailures = Set.aboutFiles.union([.cryptoFailure, .extractionFailed])
}
