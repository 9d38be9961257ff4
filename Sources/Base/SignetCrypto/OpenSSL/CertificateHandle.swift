internal import CLibCrypto
internal import SignetBase
internal import Synchronization

/// The owner of one `X509`.
@safe final class CertificateHandle: @unchecked Sendable {
  // Sendable: OpenSSL fills its caches of extensions under a lock of the certificate itself (openssl-threads(7)); the
  // rest of the certificate does not change.
  let pointer: OpaquePointer

  private init(takingOwnershipOf pointer: OpaquePointer) { unsafe self.pointer = pointer }

  deinit { unsafe X509_free(pointer) }

  /// The place for the handle of a certificate, which is made only when it is needed, because OpenSSL's reader is
  /// slow.
  final class Place: Sendable {
    private let handle = AtomicLazyReference<CertificateHandle>()

    /// Returns the handle of the certificate with this DER.
    ///
    /// - Throws: `certificate.malformed` if OpenSSL cannot read it; `crypto.failure`.
    func get(_ der: [UInt8]) throws(SignetError) -> CertificateHandle {
      if let made = handle.load() { return made }
      // If two threads arrive at once, one handle is kept and the other is freed.
      return handle.storeIfNil(try CertificateHandle.make(der))
    }
  }

  private static func make(_ der: [UInt8]) throws(SignetError) -> CertificateHandle {
    let library = try LibraryContext.shared()
    ERR_clear_error()
    guard let empty = unsafe X509_new_ex(library.pointer, nil) else { throw .openSSL("X509_new_ex") }
    var target: OpaquePointer? = unsafe empty
    let (isRead, isWhole) = unsafe der.withUnsafeBufferPointer { bytes -> (Bool, Bool) in
      var cursor = bytes.baseAddress
      let result = unsafe d2i_X509(&target, &cursor, bytes.count)
      return unsafe (result != nil, cursor == bytes.baseAddress?.advanced(by: bytes.count))
    }
    // After a failure OpenSSL has freed the object that it was given.
    guard isRead, let pointer = unsafe target else {
      throw SignetError(
        .certificateMalformed, "certificate", "cannot be read by OpenSSL",
        cause: OpenSSLFailure.drained("d2i_X509"))
    }
    // A key that OpenSSL cannot decode leaves an error in the queue; code that needs the key will get that error
    // again.
    ERR_clear_error()
    let handle = unsafe CertificateHandle(takingOwnershipOf: pointer)
    guard isWhole else { throw Certificate.malformed("bytes behind the end") }
    return handle
  }
}
