internal import CSignetPlugin

extension signet_text {
  /// The text; nil if it is not UTF-8, or has a length but no bytes.
  var text: String? {
    guard unsafe count != 0 else { return "" }
    // size_t exceeds Int: a length beyond any memory arrives as a negative number.
    guard unsafe count > 0, let bytes = unsafe bytes else { return nil }
    return unsafe String(validating: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  /// The bytes; nil if there is a length but no bytes.
  var data: [UInt8]? {
    guard unsafe count != 0 else { return [] }
    guard unsafe count > 0, let bytes = unsafe bytes else { return nil }
    return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
  }
}

/// A value that C cannot look into.
final class OpaqueValue: Sendable {
  let value: any Sendable

  init(_ value: any Sendable) { self.value = value }
}

extension signet_value {
  /// The value in Swift. The outer optional is nil if the value is not valid.
  var swiftValue: (any Sendable)?? {
    switch unsafe Int(kind) {
    case SIGNET_NONE: return .some(nil)
    case SIGNET_BOOLEAN: return unsafe `as`.boolean != 0
    case SIGNET_INTEGER: return unsafe Int(`as`.integer)
    case SIGNET_NUMBER: return unsafe `as`.number
    case SIGNET_TEXT: return unsafe `as`.text.text.map { $0 }
    case SIGNET_DATA: return unsafe `as`.text.data.map { $0 }
    case SIGNET_OPAQUE:
      guard let pointer = unsafe `as`.opaque else { return nil }
      return unsafe Unmanaged<OpaqueValue>.fromOpaque(pointer).takeUnretainedValue().value
    default: return nil
    }
  }
}

/// Values by name, as C passes them; nil if one of them is not valid.
func swiftValues(_ values: UnsafePointer<signet_named_value>?, _ count: Int) -> [String: any Sendable]? {
  var result: [String: any Sendable] = [:]
  guard count != 0 else { return result }
  guard count > 0, let values = unsafe values else { return nil }
  for index in 0..<count {
    let value = unsafe values[index]
    guard let name = unsafe value.name.text, let known = unsafe value.value.swiftValue else { return nil }
    result[name] = known
  }
  return result
}

/// Memory of values that C reads. It is kept until the last reader is done.
@safe final class ValueArena: @unchecked Sendable {
  // Sendable: the content is accessed only under the lock.
  @safe private struct Content {
    var buffers: [UnsafeMutableRawBufferPointer] = unsafe []
    var objects: [OpaqueValue] = []
  }

  private let content = ReadWriteLock(Content())

  deinit {
    content.write { content in unsafe content.buffers.forEach { unsafe $0.deallocate() } }
  }

  /// The bytes as C sees them, valid as long as the arena exists.
  func text(_ bytes: some Collection<UInt8>) -> signet_text {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 1)
    unsafe buffer.copyBytes(from: bytes)
    content.write { unsafe $0.buffers.append(buffer) }
    return unsafe signet_text(bytes: buffer.assumingMemoryBound(to: CChar.self).baseAddress, count: bytes.count)
  }

  /// The value as C sees it, valid as long as the arena exists.
  func value(_ value: (any Sendable)?) -> signet_value {
    var result = unsafe signet_value()
    switch value {
    case nil: unsafe result.kind = UInt32(SIGNET_NONE)
    case let boolean as Bool:
      unsafe result.kind = UInt32(SIGNET_BOOLEAN)
      unsafe result.as.boolean = boolean ? 1 : 0
    case let integer as any BinaryInteger & Sendable where Int64(exactly: integer) != nil:
      unsafe result.kind = UInt32(SIGNET_INTEGER)
      unsafe result.as.integer = Int64(exactly: integer) ?? 0
    case let number as Double:
      unsafe result.kind = UInt32(SIGNET_NUMBER)
      unsafe result.as.number = number
    case let number as Float:
      unsafe result.kind = UInt32(SIGNET_NUMBER)
      unsafe result.as.number = Double(number)
    case let text as String:
      unsafe result.kind = UInt32(SIGNET_TEXT)
      unsafe result.as.text = unsafe self.text(text.utf8)
    case let data as [UInt8]:
      unsafe result.kind = UInt32(SIGNET_DATA)
      unsafe result.as.text = unsafe self.text(data)
    case let other?:
      let object = OpaqueValue(other)
      content.write { $0.objects.append(object) }
      unsafe result.kind = UInt32(SIGNET_OPAQUE)
      unsafe result.as.opaque = unsafe UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    }
    return unsafe result
  }
}
