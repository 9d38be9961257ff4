internal import CLibArchive
internal import SignetBase
internal import SignetSystem

/// The input of libarchive: bytes, a position in them, and the error if reading has failed.
@safe final class LibarchiveInput {
  private static let size = 64 << 10

  let source: any ByteSource
  private(set) var failure: SignetError?
  private let buffer: UnsafeMutableRawBufferPointer
  private var position = 0
  /// The number of bytes that libarchive has read, however often it has read each of them.
  private(set) var taken = 0

  init(_ source: any ByteSource) {
    self.source = source
    unsafe buffer = .allocate(byteCount: Self.size, alignment: 4096)
  }

  deinit { unsafe buffer.deallocate() }

  /// The number of bytes that were not read; 0 if a seek led past the end.
  var remaining: Int { max(0, source.size - position) }

  /// Opens a reader of libarchive, which must not outlive this object.
  ///
  /// - Parameter canSeek: whether libarchive may skip and seek in the input.
  /// - Returns: libarchive's status.
  func open(_ archive: OpaquePointer, _ functions: LibarchiveFunctions, canSeek: Bool) -> Int32 {
    if canSeek {
      let status = unsafe functions.readSetSeekCallback(archive) { _, input, offset, origin in
        guard let input = unsafe input else { return Int64(ARCHIVE_FATAL) }
        return unsafe Unmanaged<LibarchiveInput>.fromOpaque(input).takeUnretainedValue().seek(offset, origin)
      }
      guard status == ARCHIVE_OK else { return status }
    }
    let skip: LibarchiveFunctions.Skip? =
      !canSeek
      ? nil
      : { _, input, count in
        guard let input = unsafe input else { return 0 }
        return unsafe Unmanaged<LibarchiveInput>.fromOpaque(input).takeUnretainedValue().skip(count)
      }
    return unsafe functions.readOpen2(
      archive, Unmanaged.passUnretained(self).toOpaque(), nil,
      { _, input, start in
        guard let input = unsafe input, let start = unsafe start else { return -1 }
        return unsafe Unmanaged<LibarchiveInput>.fromOpaque(input).takeUnretainedValue().read(start)
      }, skip, nil)
  }

  private func read(_ start: UnsafeMutablePointer<UnsafeRawPointer?>) -> Int {
    let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(Self.size, remaining)])
    do throws(SignetError) {
      try unsafe source.read(into: piece, at: position)
    } catch {
      failure = error
      return -1
    }
    position += piece.count
    taken += piece.count
    unsafe start.pointee = UnsafeRawPointer(piece.baseAddress)
    return piece.count
  }

  private func skip(_ count: Int64) -> Int64 {
    let passed = min(max(0, Int(count)), remaining)
    position += passed
    return Int64(passed)
  }

  private func seek(_ offset: Int64, _ origin: Int32) -> Int64 {
    let base =
      switch origin {
      case 0: 0
      case 1: position
      default: source.size
      }
    let (target, overflow) = base.addingReportingOverflow(Int(offset))
    guard !overflow, target >= 0 else { return Int64(ARCHIVE_FATAL) }
    position = target
    return Int64(target)
  }
}
