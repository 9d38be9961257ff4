internal import CBenchCrypto

#if canImport(Glibc)
  internal import Glibc

  /// A shared library that is hashed and opened with nothing but OpenSSL and the dynamic linker.
  @safe final class HashedLibrary {
    private let path: String
    private let bytes: [UInt8]

    init(_ path: String, _ bytes: [UInt8]) {
      self.path = path
      self.bytes = bytes
    }

    /// Opens it and closes it again: otherwise the next time it would be there already.
    func open() throws {
      guard let handle = unsafe dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
        throw BenchFailure(message: "dlopen failed")
      }
      unsafe dlclose(handle)
    }

    /// The SHA-256 of a part of it.
    func hash(_ part: Double) throws {
      var digest = [UInt8](repeating: 0, count: 32)
      let count = Int(Double(bytes.count) * part)
      guard unsafe EVP_Digest(bytes, count, &digest, nil, EVP_sha256(), nil) == 1 else {
        throw BenchFailure(message: "EVP_Digest failed")
      }
    }
  }
#endif
