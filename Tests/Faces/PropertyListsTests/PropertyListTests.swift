import Foundation
import SignetBase
import TestSupport
import Testing

@testable import PropertyLists

/// Property lists as Foundation writes them, and as nobody should.
@Suite struct PropertyListTests {
  private static let limits = PropertyList.Limits(depth: 8, values: 100)
  private static let head = "<plist version=\"1.0\">"

  private func read(_ text: String) throws -> PropertyList {
    try PropertyList(Array(text.utf8), limits: Self.limits)
  }

  private func written(_ value: Any, _ format: PropertyListSerialization.PropertyListFormat) throws -> [UInt8] {
    Array(try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0))
  }

  @Test(
    "Both formats give every kind of value", arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func kinds(_ format: PropertyListSerialization.PropertyListFormat) throws {
    let time = Date(timeIntervalSince1970: 1_700_000_000)
    let value: [String: Any] = [
      "text": "häuser", "flag": true, "number": -7, "real": 0.5, "bytes": Data([0, 255]), "time": time,
      "list": ["a", 1, false] as [Any],
    ]
    let list = try PropertyList(written(value, format), limits: Self.limits)
    guard case .dictionary(let members) = list else {
      Issue.record("\(list)")
      return
    }
    #expect(members.count == 7)
    #expect(members["text"]?.sendable as? String == "häuser")
    #expect(members["flag"]?.sendable as? Bool == true)
    #expect(members["number"]?.sendable as? Int == -7)
    #expect(members["real"]?.sendable as? Double == 0.5)
    #expect(members["bytes"]?.sendable as? [UInt8] == [0, 255])
    #expect(members["time"]?.sendable as? Date == time)
    #expect((members["list"]?.sendable as? [any Sendable])?.count == 3)
    #expect(
      ["text", "flag", "number", "real", "bytes", "time", "list"].map { members[$0]?.kind } == [
        "a text", "a Boolean", "a number", "a number", "data", "a date", "a list",
      ])
    #expect(list.kind == "a dictionary")
  }

  @Test("White space and a byte order mark may come before XML, and nothing else")
  func before() throws {
    let list = "\(Self.head)<string>a</string></plist>"
    for start in ["", " \r\n\t", "\u{feff}", "\u{feff}\n"] {
      #expect(try read(start + list).sendable as? String == "a")
    }
    for start in ["x", "\n\u{feff}", "{}"] { expectError(.jsonSyntax) { _ = try read(start + list) } }
  }

  @Test("Lists within lists end at the limit, in both formats")
  func depth() throws {
    func nested(_ depth: Int) -> Any { (0..<depth).reduce("x" as Any) { value, _ in [value] } }
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      _ = try PropertyList(written(nested(8), format), limits: Self.limits)
      let deep = try written(nested(9), format)
      let error = #expect(throws: SignetError.self) { try PropertyList(deep, limits: Self.limits) }
      #expect(error?.code == .jsonBounds || error?.code == .jsonSyntax)
    }
    // Foundation's decoder calls itself for each level: this would end the process.
    let levels = 200_000
    expectError(.jsonSyntax) {
      _ = try read(
        Self.head + String(repeating: "<array>", count: levels) + String(repeating: "</array>", count: levels)
          + "</plist>")
    }
  }

  @Test("More values than the limit are refused")
  func values() throws {
    _ = try PropertyList(written(Array(repeating: 1, count: 99), .xml), limits: Self.limits)
    let many = try written(Array(repeating: 1, count: 100), .xml)
    expectError(.jsonBounds) { _ = try PropertyList(many, limits: Self.limits) }
  }

  @Test("A binary list that names one list again and again is refused before it is copied")
  func bomb() {
    // Twenty lists, each of which names the next one eight times: 8^20 values in 300 bytes.
    var bytes = Array("bplist00".utf8)
    var places: [UInt8] = []
    for number in 0..<20 {
      places.append(UInt8(bytes.count))
      bytes += [0xa8] + [UInt8](repeating: UInt8(number + 1), count: 8)
    }
    places.append(UInt8(bytes.count))
    bytes.append(0x08)
    let table = bytes.count
    bytes += places
    bytes += [0, 0, 0, 0, 0, 0, 1, 1] + Self.number(places.count) + Self.number(0) + Self.number(table)
    expectError(.jsonSyntax) { _ = try PropertyList(bytes, limits: Self.limits) }
  }

  @Test("A binary list with a changed byte is read or refused, and never ends the process")
  func damage() throws {
    let list = try written(["a": ["b", 1, Data([1])] as [Any], "c": 0.5] as [String: Any], .binary)
    var refused = 0
    for place in list.indices {
      for change in [0x01, 0x0f, 0x80, 0xff] as [UInt8] {
        var bytes = list
        bytes[place] ^= change
        do throws(SignetError) { _ = try PropertyList(bytes, limits: Self.limits) } catch {
          #expect(error.code == .jsonSyntax || error.code == .jsonBounds)
          refused += 1
        }
      }
    }
    #expect(refused > list.count)
  }

  private static func number(_ value: Int) -> [UInt8] { withUnsafeBytes(of: UInt64(value).bigEndian) { Array($0) } }
}
