#if canImport(Glibc)
  internal import Glibc

  /// The libraries that loaders of this process have opened, whichever loader it was.
  enum OpenedLibraries {
    private static let numbers = LoaderLock(Set<UInt>())

    /// - Returns: false when it is one of them already.
    static func insert(_ number: UInt) -> Bool {
      var isNew = false
      numbers.change { isNew = $0.insert(number).inserted }
      return isNew
    }
  }
#endif
