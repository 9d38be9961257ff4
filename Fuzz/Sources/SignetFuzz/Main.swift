/// libFuzzer's driver, which ends the process itself.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ feed: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// Set before the driver starts, only read afterwards.
nonisolated(unsafe) private var target = FuzzTarget.json

/// `signet-fuzz TARGET [libFuzzer's arguments]`
@main
enum Main {
  static func main() {
    let words = CommandLine.arguments
    guard words.count > 1, let named = FuzzTarget(rawValue: words[1]) else {
      for each in FuzzTarget.allCases { print(each.rawValue) }
      return
    }
    target = named
    var rest: [UnsafeMutablePointer<CChar>?] = ([words[0]] + words.dropFirst(2)).map { duplicate($0) } + [nil]
    var count = Int32(rest.count - 1)
    let status = rest.withUnsafeMutableBufferPointer { buffer -> Int32 in
      var base = buffer.baseAddress
      return runDriver(&count, &base) { bytes, size in
        target.feed(Array(UnsafeBufferPointer(start: bytes, count: size)))
        return 0
      }
    }
    if status != 0 { fatalError("the fuzzer ended with \(status)") }
  }

  private static func duplicate(_ text: String) -> UnsafeMutablePointer<CChar> {
    let bytes = Array(text.utf8CString)
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    copy.initialize(from: bytes, count: bytes.count)
    return copy
  }
}
