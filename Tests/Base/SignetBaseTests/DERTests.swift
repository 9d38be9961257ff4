import SignetBase
import TestSupport
import Testing

@Suite struct DERTests {
  private static func element(_ header: [UInt8], _ count: Int) -> [UInt8] {
    header + [UInt8](repeating: 1, count: count)
  }

  @Test(
    "a value has its one form",
    arguments: [
      ([], true),
      ([0x01, 1, 0xff], true), ([0x01, 1, 0], true), ([0x01, 1, 1], false), ([0x01, 0], false),
      ([0x01, 2, 0, 0], false),
      ([0x02, 1, 0], true), ([0x02, 0], false), ([0x02, 2, 0, 0x80], true), ([0x02, 2, 0, 0x7f], false),
      ([0x02, 2, 0xff, 0x7f], true), ([0x02, 2, 0xff, 0x80], false), ([0x0a, 2, 0, 1], false),
      ([0x03, 0], false), ([0x03, 1, 0], true), ([0x03, 1, 1], false), ([0x03, 2, 7, 0x80], true),
      ([0x03, 2, 7, 0x40], false), ([0x03, 2, 8, 0], false), ([0x03, 2, 1, 1], false), ([0x03, 2, 0, 1], true),
      ([0x05, 0], true), ([0x05, 1, 0], false), ([0x06, 2, 0x2a, 3], true), ([0x06, 2, 0x2a, 0x80], false),
      ([0x00, 0], false), ([0x10, 0], false), ([0x11, 0], false), ([0x30, 0], true), ([0x31, 0], true),
      ([0x28, 0], true), ([0x2b, 0], true), ([0x24, 0], false), ([0x0c, 1, 0x41], true), ([0x80, 1, 7], true),
      ([0xa0, 0], true), ([0xa0, 2, 0x05, 0], true), ([0xa0, 1, 7], false), ([0x30, 3, 0x01, 1, 1], false),
      ([0x1f, 0], false), ([0x3f, 1, 0], false), ([0x05], false), ([0x05, 0, 0x05], false), ([0x04, 1], false),
      (element([0x04, 0x7f], 127), true), (element([0x04, 0x81, 0x80], 128), true),
      (element([0x04, 0x81, 0x7f], 127), false), (element([0x04, 0x81], 0), false),
      (element([0x04, 0x82, 0, 0x80], 128), false), (element([0x04, 0x82, 1, 0], 256), true),
      (element([0x04, 0x82, 1, 0], 255), false), (element([0x04, 0x82, 1], 0), false),

      (element([0x04, 0x85, 1, 0, 0, 0, 0], 8), false), ([0x04, 0x80, 0, 0], false),
    ] as [([UInt8], Bool)])
  func form(bytes: [UInt8], isWellFormed: Bool) {
    #expect(DERReader(bytes).isWellFormed == isWellFormed)
    var reader = DERReader(DERWriter.element(DERElement.constructed(0), bytes))
    #expect((reader.any() != nil) == isWellFormed)
    #expect(reader.isAtEnd)
  }

  @Test("a length has up to four octets")
  func lengths() {
    for (header, isRead) in [([0x04, 0x84, 1, 0, 0, 0], true), ([0x04, 0x85, 0, 1, 0, 0, 0], false)]
      as [([UInt8], Bool)]
    {
      var reader = DERReader(Self.element(header, 1 << 24))
      #expect((reader.octetString()?.count == 1 << 24) == isRead)
    }
  }

  @Test("no part of an object identifier begins with a needless octet")
  func objectIdentifiers() {
    #expect(OID(content: [0x2a, 0x81, 0x80, 1]) != nil)
    #expect(OID(content: [0x2a, 0x80, 1]) == nil)
    #expect(OID(content: [0x80, 1]) == nil)
    #expect(OID(content: [0x2a, 0x81]) == nil)
    #expect(OID(content: []) == nil)
  }

  @Test("elements nest up to the limit")
  func nesting() {
    let nested = (0..<16).reduce(into: [[UInt8]()]) { list, _ in list.append(DERWriter.sequence(list[list.count - 1]))
    }
    #expect(DERReader(nested[15]).isWellFormed)
    #expect(!DERReader(nested[16]).isWellFormed)
  }

  @Test("a boolean, an integer and a bit string are read in their one form alone")
  func values() {
    func read<Value>(_ bytes: [UInt8], _ body: (inout DERReader) -> Value?) -> Value? {
      var reader = DERReader(bytes)
      return body(&reader)
    }
    #expect(([0xff, 0, 1] as [UInt8]).map { byte in read([1, 1, byte]) { $0.boolean() } } == [true, false, nil])
    #expect(read([1, 0]) { $0.boolean() } == nil)
    #expect(read([1, 2, 0xff, 0xff]) { $0.boolean() } == nil)
    #expect(read([2, 2, 0xff, 0x7f]) { $0.integer() } == [0xff, 0x7f])
    #expect(read([2, 2, 0, 0x7f]) { $0.integer() } == nil)
    let magnitudes: [([UInt8], [UInt8]?)] = [
      ([0], []), ([1], [1]), ([0x7f], [0x7f]), ([0x80], nil), ([0, 0x80], [0x80]), ([0, 0x7f], nil), ([0, 0], nil),
      ([], nil),
    ]
    for (content, magnitude) in magnitudes {
      #expect(read(DERWriter.element(2, content)) { $0.unsignedInteger() } == magnitude, "\(content)")
    }
    #expect(read([3, 2, 0, 5]) { $0.bitString() } == [5])
    #expect(read([3, 2, 1, 4]) { $0.bitString() } == nil)
    #expect(read([3, 0]) { $0.bitString() } == nil)
    #expect(read([5, 1, 0]) { $0.null() } == nil)
    #expect(read([4, 1, 9]) { $0.octetString() } == [9])
  }

  @Test("a number is read up to its bound, and of no more than seven bytes")
  func numbers() {
    func read(_ magnitude: [UInt8], _ bound: Int) -> Int? {
      var reader = DERReader(DERWriter.unsignedInteger(magnitude))
      return reader.unsignedInteger(atMost: bound)
    }
    #expect(read([], 0) == 0)
    #expect(read([8], 8) == 8)
    #expect(read([9], 8) == nil)
    #expect(read([1, 0], 1000) == 256)
    #expect(read([0xff] + [UInt8](repeating: 0, count: 6), .max) == 0xff << 48)
    #expect(read([1] + [UInt8](repeating: 0, count: 7), .max) == nil)
  }

  @Test("a list has between one and so many elements of the form")
  func lists() {
    func isList(_ bytes: [UInt8], _ limit: Int) -> Bool {
      var reader = DERReader(bytes)
      return reader.isList(atMost: limit) { $0.null() }
    }
    #expect(!isList([], 2))
    #expect(isList([5, 0], 2))
    #expect(isList([5, 0, 5, 0], 2))
    #expect(!isList([5, 0, 5, 0, 5, 0], 2))
    #expect(!isList([5, 0, 4, 0], 2))
  }

  @Test("a reader takes what has the tag, tells what comes next, and keeps within its element")
  func sequence() throws {
    var reader = DERReader([0x30, 3, 4, 1, 7, 5, 0])
    #expect(reader.nextTag == 0x30)
    #expect(reader.element(0x31) == nil)
    let sequence = reader.sequence()
    var inner = try #require(sequence)
    #expect(inner.encoded(4) == [4, 1, 7])
    #expect(inner.isAtEnd && inner.nextTag == nil && inner.element() == nil)
    #expect(reader.rest == [5, 0])
    let following = reader.element()
    let last = try #require(following)
    #expect(last.tag == 5 && last.content.isAtEnd && reader.isAtEnd)
  }

  @Test("lengths and numbers are written in their shortest form")
  func written() {
    for (count, header) in [
      (0, [4, 0]), (127, [4, 127]), (128, [4, 0x81, 128]), (255, [4, 0x81, 255]), (256, [4, 0x82, 1, 0]),
      (65_536, [4, 0x83, 1, 0, 0]),
    ] as [(Int, [UInt8])] {
      let content = [UInt8](repeating: 3, count: count)
      #expect(DERWriter.element(4, content) == header + content)
    }
    #expect(DERWriter.unsignedInteger([]) == [2, 1, 0])
    #expect(DERWriter.unsignedInteger([0x7f]) == [2, 1, 0x7f])
    #expect(DERWriter.unsignedInteger([0x80]) == [2, 2, 0, 0x80])
    #expect(DERWriter.bitString([1]) == [3, 2, 0, 1])
  }
}
