internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A copy of a file in memory that nothing can change any longer, not even this process.
///
/// So the same bytes are hashed, read and mapped. The copy lives as long as the process once a library was opened from
/// it.
final class SealedFile: Sendable {
  /// The copy's bytes.
  let file: RegularFile
  /// The path by which the dynamic linker finds it. A number that was used before would give the earlier library.
  let path: String

  /// Copies a file, seals the copy, and checks it against what is signed.
  ///
  /// - Parameters:
  ///   - source: the file with the bytes; it may change at any time.
  ///   - size: the signed size in bytes.
  ///   - sha256: the signed digest.
  ///   - name: the system's name for the copy.
  /// - Throws: `loader.unavailable`, `digest.mismatch`, `file.…` if the source cannot be read.
  init(copying source: RegularFile, size: Int, sha256: Digest, name: String) throws(SignetError) {
    let descriptor = try Self.create(name, source.path)
    // The file closes the descriptor in the end.
    file = try Self.fill(descriptor, from: source, size)
    path = "/proc/self/fd/\(descriptor)"
    try Self.checkMapping(descriptor, path, source.path)
    let found = try Self.digest(of: file)
    guard file.size == size, found == sha256 else {
      throw SignetError(
        .digestMismatch, source.path, "is not what was signed", expected: "\(size) bytes, \(sha256)",
        found: "\(file.size) bytes, \(found)", hint: "repair the installed module")
    }
  }

  /// Keeps the copy, and its descriptor's number, as long as the process lives.
  func keep() { _ = unsafe Unmanaged.passRetained(self) }

  #if os(Linux)
    /// The mode never makes the copy executable. The kernel's headers of 2022 lack this flag.
    private static let noExecuteSeal: UInt32 = 8
    /// The greatest length of a name in bytes, without its NUL (memfd_create(2)).
    private static let nameLimit = 249
    /// Half of what a process usually has. The descriptors stay, and low numbers are left to others.
    private static let lowestNumber: Int32 = 512

    private static func create(_ name: String, _ path: String) throws(SignetError) -> Int32 {
      let bytes = name.utf8.prefix(nameLimit).map { CChar(bitPattern: $0) } + [0]
      let flags = UInt32(MFD_CLOEXEC) | UInt32(MFD_ALLOW_SEALING)
      var descriptor = unsafe memfd_create(bytes, flags | noExecuteSeal)
      // Kernels before 6.3 do not know the flag, and make executable copies only.
      if descriptor < 0, errno == EINVAL { descriptor = unsafe memfd_create(bytes, flags) }
      guard descriptor >= 0 else { throw unavailable(path, .last("memfd_create")) }
      return try renumbered(descriptor, path)
    }

    /// Moves the descriptor to a high number, and one by which the dynamic linker knows no library. Other code in the
    /// process may have opened a library in the same way, and closed its descriptor.
    private static func renumbered(_ descriptor: Int32, _ object: String) throws(SignetError) -> Int32 {
      defer { close(descriptor) }
      var next = lowestNumber
      for _ in 0..<numbersTried {
        let number = fcntl(descriptor, F_DUPFD_CLOEXEC, next)
        guard number >= 0 else {
          let failure = SystemFailure.last("fcntl")
          // A process with a low limit, or without free high numbers, has low ones.
          guard [EINVAL, EMFILE].contains(failure.number), next > 0 else { throw unavailable(object, failure) }
          next = 0
          continue
        }
        guard isKnown("/proc/self/fd/\(number)") else { return number }
        close(number)
        next = number + 1
      }
      throw SignetError(
        .loaderHandleReused, object, "would resolve to a library that was loaded before",
        expected: "a descriptor whose number no library is known by", hint: "restart the program")
    }

    /// How many numbers that others have used before are tried.
    private static let numbersTried = 256

    private static func isKnown(_ path: String) -> Bool {
      #if canImport(Glibc)
        ProcessLibraries.has(path: path)
      #else
        false
      #endif
    }

    private static func fill(
      _ descriptor: Int32, from source: RegularFile, _ size: Int
    ) throws(SignetError) -> RegularFile {
      do throws(SignetError) {
        try copy(source, min(size, source.size), to: descriptor)
        let seals = F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL
        guard fcntl(descriptor, F_ADD_SEALS, seals) == 0, fcntl(descriptor, F_GET_SEALS) & seals == seals else {
          throw unavailable(source.path, .last("fcntl"))
        }
      } catch {
        close(descriptor)
        throw error
      }
      return try RegularFile(takingOwnershipOf: descriptor, path: source.path)
    }

    private static func copy(_ source: RegularFile, _ size: Int, to descriptor: Int32) throws(SignetError) {
      let buffer = unsafe buffer(for: size)
      defer { unsafe buffer.deallocate() }
      for offset in stride(from: 0, to: size, by: blockSize) {
        let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(blockSize, size - offset)])
        try unsafe source.read(into: part, at: offset)
        do throws(SystemFailure) { try unsafe SystemCall.write(descriptor, UnsafeRawBufferPointer(part)) } catch {
          throw unavailable(source.path, error)
        }
      }
    }

    /// Checks that the path leads to the copy, and that it may be mapped as code.
    private static func checkMapping(_ descriptor: Int32, _ path: String, _ object: String) throws(SignetError) {
      let own: FileStatus
      do throws(SystemFailure) {
        own = try FileStatus(of: descriptor)
        guard try FileStatus(at: path).identity == own.identity else { throw SystemFailure("stat", number: ENOENT) }
      } catch {
        throw unavailable(object, error)
      }
      guard own.size > 0 else { return }
      let page = unsafe mmap(nil, 1, PROT_READ | PROT_EXEC, MAP_PRIVATE, descriptor, 0)
      guard unsafe page != MAP_FAILED else { throw unavailable(object, .last("mmap")) }
      unsafe munmap(page, 1)
    }
  #else
    private static func create(_ name: String, _ path: String) throws(SignetError) -> Int32 {
      throw unavailable(path, SystemFailure("memfd_create", number: ENOSYS))
    }

    private static func fill(
      _ descriptor: Int32, from source: RegularFile, _ size: Int
    ) throws(SignetError) -> RegularFile { source }

    private static func checkMapping(_ descriptor: Int32, _ path: String, _ object: String) throws(SignetError) {}
  #endif

  /// How many bytes are copied and hashed at once: few enough to stay in a processor's cache.
  private static let blockSize = 256 << 10

  /// A buffer for copying or hashing. A library is often small: mapping and unmapping a whole block for it stops all
  /// threads of the process for a moment.
  private static func buffer(for size: Int) -> UnsafeMutableRawBufferPointer {
    .allocate(byteCount: min(blockSize, max(size, 1)), alignment: 4096)
  }

  private static func digest(of file: RegularFile) throws(SignetError) -> Digest {
    var digest = try IncrementalDigest(.sha256)
    let buffer = unsafe buffer(for: file.size)
    defer { unsafe buffer.deallocate() }
    for offset in stride(from: 0, to: file.size, by: blockSize) {
      let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(blockSize, file.size - offset)])
      try unsafe file.read(into: part, at: offset)
      try unsafe digest.update(UnsafeRawBufferPointer(part))
    }
    return try digest.finish()
  }

  static func unavailable(
    _ object: String, _ failure: SystemFailure = SystemFailure("dlopen", number: ENOSYS)
  ) -> SignetError {
    SignetError(
      .loaderUnavailable, object, "cannot be loaded: the system denies what loading needs",
      expected: "memfd_create with seals, /proc and executable mappings of sealed memory", cause: failure,
      hint: "run the host where these are allowed, or use modules without code")
  }
}
