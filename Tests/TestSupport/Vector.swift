import Foundation
import Testing

/// A case of an area's list in `Tests/Vectors`: what goes in, and the verdict on it.
public struct Vector: Sendable, CustomTestStringConvertible {
  /// What the case is called; no other of its area has the name.
  public let name: String
  /// Why the verdict is what it is.
  public let reason: String
  /// The words of the verdict; the first is a code, or says that all is well.
  public let expected: [String]
  /// The inputs by the names of the files they would be.
  public let inputs: [String: [UInt8]]

  /// What the tests print of the case.
  public var testDescription: String { name }

  /// All cases of an area, in the order of its list.
  public static func all(in area: String) throws -> [Vector] {
    let folder = "Tests/Vectors/\(area)"
    let list = try JSONDecoder().decode(List.self, from: Data(Repository.bytes("\(folder)/cases.json")))
    func bytes(_ input: Input) throws -> [UInt8] {
      switch input {
      case .text(let text): return Array(text.utf8)
      case .base64(let data): return Array(data)
      case .file(let name): return try Repository.bytes("\(folder)/large/\(name)")
      case .shared(let name): return try bytes(try #require(list.shared[name], "\(area) shares no \(name)"))
      }
    }
    return try list.cases.map { entry in
      Vector(
        name: entry.name, reason: entry.reason, expected: entry.expected.split(separator: " ").map(String.init),
        inputs: try entry.inputs.mapValues(bytes))
    }
  }

  /// One case of an area.
  public static func named(_ name: String, in area: String) throws -> Vector {
    try #require(try all(in: area).first { $0.name == name }, "\(area) has no case \(name)")
  }

  /// An input that the case must have.
  public func bytes(_ file: String) throws -> [UInt8] { try #require(inputs[file], "\(name) has no \(file)") }

  /// A text that the case may have.
  public func text(_ file: String) -> String? { inputs[file].map { String(decoding: $0, as: UTF8.self) } }

  /// Writes all inputs into a folder.
  public func write(into folder: TemporaryFolder) throws {
    for (file, bytes) in inputs { try folder.write(file, bytes) }
  }
}

/// The file `cases.json` of an area; `Tests/Vectors/README.md` describes it.
private struct List: Decodable {
  struct Entry: Decodable {
    let name: String
    let reason: String
    let expected: String
    let inputs: [String: Input]
  }
  let shared: [String: Input]
  let cases: [Entry]
}

/// Where the bytes of an input are.
private enum Input: Decodable {
  case text(String)
  case base64(Data)
  /// The name of a file in the folder `large`.
  case file(String)
  /// The name of a content of several cases.
  case shared(String)

  enum Kind: CodingKey { case base64, file, shared }

  init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      self = .text(text)
      return
    }
    let fields = try decoder.container(keyedBy: Kind.self)
    if let data = try fields.decodeIfPresent(Data.self, forKey: .base64) {
      self = .base64(data)
    } else if let name = try fields.decodeIfPresent(String.self, forKey: .file) {
      self = .file(name)
    } else {
      self = .shared(try fields.decode(String.self, forKey: .shared))
    }
  }
}
