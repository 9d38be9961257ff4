internal import CLibCrypto
internal import SignetBase
internal import Synchronization

/// The owner of one `X509`.
@safe final class CertificateHandle: @unchecked Sendable {
  // Sendable: OpenSSL fills its caches of extensions under a lock of the certificate's own (openssl-threads(7));
  // nothing else of it changes.
  let pointer: OpaquePointer

  private init(takingOwnershipOf pointer: OpaquePointer) { unsafe self.pointer = pointer }

  deinit { unsafe X509_free(pointer) }

  /// Where the handle of a certificate is kept once it is needed, since OpenSSL's reader is slow.
  final class Place: Sendable {
    private let handle = AtomicLazyReference<CertificateHandle>()

    /// The handle of the certificate with this DER.
    ///
    /// - Throws: `certificate.malformed` when OpenSSL cannot read it, `crypto.failure`.
    func get(_ der: [UInt8]) throws(SignetError) -> CertificateHandle {
      if let made = handle.load() { return made }
      // When two threads come here at once, one's is kept and the other's freed.
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
    // After a failure OpenSSL has freed what it was given.
    guard isRead, let pointer = unsafe target else {
      throw SignetError(
        .certificateMalformed, "certificate", "cannot be read by OpenSSL",
        cause: OpenSSLFailure.drained("d2i_X509"))
    }
    // A key that OpenSSL cannot decode leaves a complaint behind; who needs the key will hear of it.
    ERR_clear_error()
    let handle = unsafe CertificateHandle(takingOwnershipOf: pointer)
    guard isWhole else { throw Certificate.malformed("bytes behind the end") }
    return handle
  }
}
