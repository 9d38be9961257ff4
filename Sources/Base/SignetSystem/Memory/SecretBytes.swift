#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Bytes that must not outlive their use: passphrases, private keys and the data they are decoded from.
///
/// The memory has one owner, is never grown or copied by the runtime, and is overwritten before it is released.
@safe public final class SecretBytes: @unchecked Sendable {
  // Sendable: the bytes change only inside `init(capacity:filling:)`, before anything else can see the object.
  private let memory: UnsafeMutableRawBufferPointer
  /// The number of bytes in use.
  public private(set) var count: Int

  /// Allocates `capacity` bytes and has `body` fill them; `body` returns how many bytes it wrote.
  package init<Failure>(
    capacity: Int, filling body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) {
    unsafe memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(capacity, 1), alignment: 16)
    count = 0
    let used = try unsafe body(UnsafeMutableRawBufferPointer(rebasing: memory[..<capacity]))
    precondition((0...capacity).contains(used))
    count = used
  }

  /// Copies bytes that the caller wipes, or that are not secret (in tests).
  public convenience init(_ bytes: [UInt8]) {
    unsafe self.init(capacity: bytes.count) { memory in
      unsafe memory.copyBytes(from: bytes)
      return bytes.count
    }
  }

  deinit {
    wipe()
    unsafe memory.deallocate()
  }

  /// Overwrites the memory in a way that compilers do not optimize away.
  package func wipe() {
    #if canImport(Darwin)
      unsafe memset_s(memory.baseAddress, memory.count, 0, memory.count)
    #else
      if let start = unsafe memory.baseAddress { unsafe explicit_bzero(start, memory.count) }
    #endif
  }

  /// Passes the bytes to `body`, for the duration of the call.
  ///
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws.
  public func withBytes<Value, Failure>(_ body: (Span<UInt8>) throws(Failure) -> Value) throws(Failure) -> Value {
    let used = unsafe UnsafeRawBufferPointer(rebasing: memory[..<count]).assumingMemoryBound(to: UInt8.self)
    return try unsafe body(used.span)
  }

  /// Whether two secrets have the same bytes; the time does not depend on where they differ.
  package func isSame(as other: SecretBytes) -> Bool {
    guard count == other.count else { return false }
    var difference: UInt8 = 0
    for index in 0..<count { unsafe difference |= memory[index] ^ other.memory[index] }
    return difference == 0
  }

  /// Passes the memory in use to `body`, for C, for the duration of the call.
  package func withUnsafeBytes<Value, Failure>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try unsafe body(UnsafeRawBufferPointer(rebasing: memory[..<count]))
  }

  /// Builds a secret of at most `capacity` bytes, which `body` writes one by one through the function it gets.
  package static func build<Failure>(
    capacity: Int, _ body: ((UInt8) -> Void) throws(Failure) -> Void
  ) throws(Failure) -> SecretBytes {
    try unsafe SecretBytes(capacity: capacity) { (memory) throws(Failure) -> Int in
      var used = 0
      try body { byte in
        precondition(used < capacity)
        unsafe memory[used] = byte
        used += 1
      }
      return used
    }
  }
}
