internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetCrypto
internal import SignetSystem
internal import SignetTUF

/// The root metadata with which somebody begins to trust a repository.
enum FirstRoot {
  /// Reads the root.
  ///
  /// - Parameter pin: the root's SHA-256. Without it, no other user may have put the file there.
  /// - Throws: `tuf.root-pin-mismatch`, and what `TrustedRoot.init(_:name:)` throws; `file.…`.
  static func read(_ path: String, pin: SHA256Argument?) throws(SignetError) -> [UInt8] {
    let bytes = try content(path, pin)
    do throws(SignetError) { _ = try TrustedRoot(bytes, name: path) } catch  where error.code == .tufWrongType {
      var error = error
      error.hint = "give the registry's first root, metadata/1.root.json"
      throw error
    }
    return bytes
  }

  private static func content(_ path: String, _ pin: SHA256Argument?) throws(SignetError) -> [UInt8] {
    let limit = TUFLimits.standard.root
    guard let pin = pin?.digest else {
      do throws(SignetError) {
        return try TrustedContent.read(path, limit: limit).withBytes { Array(copying: $0) }
      } catch  where error.code == .fileOthersMayWrite {
        var error = error
        error.hint = "name the root by its digest, too, once you know which is right: --root-sha256 HEX"
        throw error
      }
    }
    let bytes = try TrustedContent.readPinned(path, limit: limit).withBytes { Array(copying: $0) }
    let found = try Digest.of(bytes, .sha256)
    guard found == pin else {
      throw SignetError(
        .tufRootPinMismatch, path, "does not have the SHA-256 that was given", expected: pin.hex, found: found.hex,
        hint: "get the root and its digest from the repository's publisher")
    }
    return bytes
  }
}

extension SignetError.Code {
  /// The first root is not the one that was named by its digest.
  static let tufRootPinMismatch = Self("tuf.root-pin-mismatch", .refusal)
}
