import SignetBase
import SignetCrypto
import SignetSystem
import Synchronization

/// Bytes of whatever size, zeros behind the first, that count how many of them are read: nobody waits for gigabytes.
final class CountedSource: ByteSource {
  let path = "artifact"
  let size: Int
  private let start: [UInt8]
  private let count = Mutex(0)

  init(_ start: [UInt8], size: Int? = nil) {
    self.start = start
    self.size = size ?? start.count
  }

  /// How many bytes were read.
  var read: Int { count.withLock { $0 } }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SignetError) {
    count.withLock { $0 += buffer.count }
    for index in 0..<buffer.count {
      let place = offset + index
      buffer[index] = place < start.count ? start[place] : 0
    }
  }
}
