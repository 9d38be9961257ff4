package import SignetBase
package import SignetCrypto
internal import SignetNames

/// The key of a log, or of a witness, under the name by which notes name it.
package struct LogKey: Sendable {
  /// The name in the lines of signatures.
  package let name: String
  package let key: PublicKey
  /// What the key signs.
  package let kind: Kind
  /// The identifier of the log: RFC 6962, section 3.2, or that of the kind.
  package let id: [UInt8]
  /// The number of the key in notes: its first four bytes count.
  private let noteID: [UInt8]

  /// What a key signs, and how its number is made.
  package enum Kind: Sendable, Hashable {
    /// A log's signature over the text. The identifier is the SHA-256 of the SubjectPublicKeyInfo (RFC 6962, section 3.2).
    case log
    /// A log's signature by Ed25519 over the text, numbered as C2SP's signed-note says.
    case ed25519Note
    /// A witness's over the text and a time (C2SP's tlog-cosignature).
    case witness

    /// The byte for the algorithm of a signature (C2SP's signed-note).
    fileprivate var algorithm: UInt8 { self == .witness ? 4 : 1 }
  }

  /// - Throws: `log.key` for a witness or a note by another key than Ed25519; `crypto.failure`.
  package init(_ name: String, _ key: PublicKey, _ kind: Kind) throws(SignetError) {
    (self.name, self.key, self.kind) = (name, key, kind)
    guard kind != .log else {
      id = try Digest.of(key.der, .sha256).bytes
      noteID = id
      return
    }
    guard key.algorithm == .ed25519 else {
      throw SignetError(.logKey, name, "has a key of another kind", expected: "Ed25519", found: "\(key.algorithm)")
    }
    // The raw key is the end of its SubjectPublicKeyInfo (RFC 8410, section 4).
    id = try Digest.of(Array(name.utf8) + [0x0a, kind.algorithm] + key.der.suffix(32), .sha256).bytes
    noteID = id
  }

  /// The key of a log whose identifiers are known.
  ///
  /// - Parameter noteID: the number of the key in notes.
  package init(_ name: String, _ key: PublicKey, id: [UInt8], noteID: [UInt8]) {
    (self.name, self.key, self.id, self.noteID, kind) = (name, key, id, noteID, .log)
  }

  /// Whether a signature says that it is by this key.
  package func isNamed(by signature: SignedNote.Signature) -> Bool {
    signature.name.isExactly(name) && signature.keyID == Array(noteID.prefix(4))
  }

  /// Checks a signature that says that it is by this key.
  ///
  /// - Returns: the time of a witness's signature; nil for a log's.
  /// - Throws: `log.signature`; `crypto.failure`.
  package func check(_ signature: SignedNote.Signature, of note: SignedNote) throws(SignetError) -> UnixTime? {
    var (bytes, message, time) = (signature.bytes, note.text, UnixTime?.none)
    if kind == .witness {
      guard bytes.count == 8 + 64 else { throw refusal }
      let seconds = bytes[..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      guard seconds <= UInt64(Int64.max) else { throw refusal }
      time = UnixTime(seconds: Int64(seconds))
      message = Array("cosignature/v1\ntime \(seconds)\n".utf8) + message
      bytes = Array(bytes[8...])
    }
    switch key.verify(bytes, over: message) {
    case .valid: return time
    case .invalid: throw refusal
    case .couldNotCheck(let error): throw error
    }
  }

  private var refusal: SignetError {
    SignetError(.logSignature, name, "has not signed the checkpoint", expected: "a signature by its key")
  }
}

extension Checkpoint {
  /// Checks that a log has signed the checkpoint, under its own name.
  ///
  /// Lines by other names and numbers count for nothing. Each line that says that it is by this key must be.
  ///
  /// - Throws: `log.unsigned` if no line is by the key, `log.signature`; `crypto.failure`.
  package func check(by log: LogKey) throws(SignetError) {
    // Rekor 1 puts the number of a tree behind the name.
    guard
      origin.isExactly(log.name) || log.key.algorithm != .ed25519 && origin.utf8.starts(with: "\(log.name) - ".utf8)
    else {
      throw SignetError(.logUnsigned, "checkpoint", "is of another log", expected: log.name, found: origin)
    }
    let lines = note.signatures.filter(log.isNamed)
    guard !lines.isEmpty else {
      throw SignetError(
        .logUnsigned, "checkpoint", "has no signature by the log", expected: log.name,
        found: note.signatures.map(\.name).joined(separator: ", "))
    }
    for line in lines { _ = try log.check(line, of: note) }
  }

  /// The witnesses that have signed the checkpoint, each once, with the times that they say.
  ///
  /// - Throws: `log.signature` for a line that says that it is by one of them, and is not; `crypto.failure`.
  package func witnesses(among keys: [LogKey]) throws(SignetError) -> [(key: LogKey, time: UnixTime)] {
    var found: [(key: LogKey, time: UnixTime)] = []
    var seen: Set<PublicKey> = []
    for key in keys where key.kind == .witness {
      for line in note.signatures.filter(key.isNamed) {
        guard let time = try key.check(line, of: note), seen.insert(key.key).inserted else { continue }
        found.append((key, time))
      }
    }
    return found
  }
}
