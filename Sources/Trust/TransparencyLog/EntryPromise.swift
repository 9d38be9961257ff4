package import SignetBase
internal import SignetCrypto

extension LogKey {
  /// Checks a log's promise to include an entry (Rekor's SignedEntryTimestamp): its signature over the entry, the time and
  /// the place, as JSON without blanks.
  ///
  /// - Parameters:
  ///   - promise: the signature.
  ///   - body: the entry as the log stores it.
  ///   - time: when the log says to have taken it, in seconds since 1970.
  ///   - index: the place of the entry among all of the log's trees.
  /// - Throws: `log.promise` if the log has not signed this; `crypto.failure`.
  package func check(promise: [UInt8], body: [UInt8], time: Int64, index: Int64) throws(SignetError) {
    // The order of the fields is that of their names.
    let text =
      "{\"body\":\"\(Base64.encode(body))\",\"integratedTime\":\(time),\"logID\":\"\(Hexadecimal.encode(id))\",\"logIndex\":\(index)}"
    switch key.verify(promise, over: Array(text.utf8)) {
    case .valid: return
    case .invalid:
      throw SignetError(
        .logPromise, name, "has not promised to include the entry at this time", expected: "a signature by its key")
    case .couldNotCheck(let error): throw error
    }
  }
}
