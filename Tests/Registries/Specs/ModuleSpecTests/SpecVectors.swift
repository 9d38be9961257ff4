import Foundation
import SignetBase
import TestSupport
import Testing

@testable import ModuleSpec

/// A spec's text, and whether it is read: a line of `Tests/Vectors/specs/forms.txt`.
struct SpecForm: Sendable, CustomTestStringConvertible {
  /// `sound`, or the code that it is refused with.
  let verdict: String
  let text: String
  var testDescription: String { "\(verdict) \(text.prefix(120))" }

  static let all: [SpecForm] = SpecVectors.lines(of: "forms.txt").map { line in
    let end = line.firstIndex(of: " ") ?? line.endIndex
    return SpecForm(verdict: String(line[..<end]), text: String(line[end...].dropFirst()))
  }
}

/// A spec with one fault, in a folder: a line of `Tests/Vectors/specs/lint.txt`.
struct SpecCase: Sendable, CustomTestStringConvertible {
  /// The rules that find the fault; none for a clean spec.
  let rules: [String]
  let field: String
  let fileName: String
  /// The version in the description beside the spec.
  let module: String?
  /// The commit of the tag in a checkout, or `missing`.
  let tagged: String?
  /// The fields that differ from those of the sound spec.
  let changes: String
  let line: String
  var testDescription: String { String(line.prefix(120)) }

  static let all: [SpecCase] = SpecVectors.lines(of: "lint.txt").compactMap { line in
    guard let start = line.range(of: " {"), !line.hasPrefix("sound ") else { return nil }
    let words = line[..<start.lowerBound].split(separator: " ").map(String.init)
    func option(_ name: String) -> String? {
      words.first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.utf8.count + 1)) }
    }
    return SpecCase(
      rules: words[0] == "clean" ? [] : words[0].split(separator: ",").map(String.init), field: words[1],
      fileName: option("file")?.replacingOccurrences(of: "+", with: " ") ?? "Player.modspec.json",
      module: option("module"), tagged: option("tagged"), changes: String(line[start.lowerBound...].dropFirst()),
      line: line)
  }

  /// Makes the folder, and checks its spec.
  func check(in folder: TemporaryFolder) throws -> SpecLint.Report {
    try SpecLint.check(write(into: folder)) { (_, _) throws(SignetError) in
      tagged.map { $0 == "missing" ? .missing : .commit($0) }
    }
  }

  /// Makes the folder, and gives the path of its spec.
  func write(into folder: TemporaryFolder) throws -> String {
    for path in SpecVectors.files { try SpecVectors.write(path, [], into: folder) }
    if let module {
      let text = module == "malformed" ? "{}" : #"{"identifier":"a.b","version":"\#(module)","sequence":1}"#
      try folder.write("module.json", Array(text.utf8))
    }
    return try folder.write(fileName, SpecVectors.spec(changedBy: changes))
  }
}

enum SpecVectors {
  static func lines(of name: String) -> [String] {
    let text = (try? Repository.text("Tests/Vectors/specs/\(name)")) ?? ""
    return text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
  }

  /// The spec without fault.
  static let sound = lines(of: "lint.txt").first { $0.hasPrefix("sound ") }.map { String($0.dropFirst(6)) } ?? ""

  static let files =
    lines(of: "lint.txt").first { $0.hasPrefix("files ") }?.split(separator: " ").dropFirst()
    .map(String.init) ?? []

  /// The sound spec with other fields; those that are null are left out.
  static func spec(changedBy changes: String) throws -> [UInt8] {
    func members(_ text: String) throws -> [JSONValue.Member] {
      let value = try JSONReader.read(Array(text.utf8), limits: .moduleDescription)
      guard case .object(let members) = value.content else { throw CocoaError(.coderInvalidValue) }
      return members
    }
    let changed = try members(changes)
    let kept = try members(sound).filter { member in !changed.contains { $0.name == member.name } }
    let added = changed.filter { if case .null = $0.value.content { false } else { true } }
    return try CanonicalJSON.write(JSONValue(.object(kept + added)))
  }

  static func write(_ path: String, _ bytes: [UInt8], into folder: TemporaryFolder) throws {
    try FileManager.default.createDirectory(
      atPath: (folder.file(path) as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try folder.write(path, bytes)
  }
}
