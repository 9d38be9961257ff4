internal import SignetCrypto
internal import SignetSystem

/// The libraries that loaders of this process have opened, whichever loader it was.
enum OpenedLibraries {
  private static let numbers = Monitor(Set<UInt>())

  /// - Returns: false when it is one of them already.
  static func insert(_ number: UInt) -> Bool { numbers.withLock { $0.insert(number).inserted } }
}
