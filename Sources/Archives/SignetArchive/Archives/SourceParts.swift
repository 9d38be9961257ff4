package import SignetBase
package import SignetSystem

/// What is left of a source without some of its ranges, one piece behind the other.
///
/// So the structure of an archive is read without the contents of its entries: headers, names, comments, and what belongs
/// to no entry.
package struct SourceParts: ByteSource {
  private let source: any ByteSource
  private let ranges: [Range<Int>]
  /// Where each range begins in what is left.
  private let starts: [Int]
  package let size: Int

  /// - Parameter left: the ranges to leave out, in any order. They may overlap, and reach beyond the end.
  package init(_ source: any ByteSource, without left: [Range<Int>]) {
    self.source = source
    var (ranges, starts): ([Range<Int>], [Int]) = ([], [])
    var (position, count) = (0, 0)
    func keep(upTo end: Int) {
      guard end > position else { return }
      ranges.append(position..<end)
      starts.append(count)
      count += end - position
    }
    for range in left.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      keep(upTo: min(range.lowerBound, source.size))
      position = max(position, min(range.upperBound, source.size))
    }
    keep(upTo: source.size)
    self.ranges = ranges
    self.starts = starts
    size = count
  }

  package var path: String { source.path }

  /// The offset in the source of a place in what is left.
  package func offset(of place: Int) -> Int {
    guard let index = index(of: place) else { return place }
    return ranges[index].lowerBound + place - starts[index]
  }

  /// The last range that does not begin behind a place, or nil.
  private func index(of place: Int) -> Int? {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= place { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }

  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SignetError) {
    guard offset >= 0, buffer.count <= size, offset <= size - buffer.count else {
      throw SignetError(.fileChanged, path, "is truncated", expected: "\(offset + buffer.count) bytes")
    }
    guard var index = index(of: offset) else { return }
    var done = 0
    while done < buffer.count {
      let start = ranges[index].lowerBound + offset + done - starts[index]
      let count = min(buffer.count - done, ranges[index].upperBound - start)
      try unsafe source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + count]), at: start)
      done += count
      index += 1
    }
  }
}
