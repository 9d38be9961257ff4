internal import SignetBase
internal import SignetCLI
internal import SignetSystem

/// The files that new projects begin with, below the folder `Templates` of the sources that came with this program.
///
/// What a template says is built and run by the one who begins the project. So only this user and root may be able to
/// write it, and every folder above it.
struct Templates {
  /// The folder, by its path from the root.
  let folder: String

  private static let name = "Templates"
  /// A template is a file that a person wrote.
  private static let sizeLimit = 64 << 10

  init(folder: String) { self.folder = folder }

  /// Finds those of this program.
  ///
  /// - Throws: `file.missing`, with the places that were looked at.
  static func own() throws(SignetError) -> Templates {
    let places = SignetSource.places.map { "\($0)/\(name)" }
    guard let place = places.first(where: { (try? FileStatus(ofLink: "\($0)/module/module.json")) != nil }) else {
      throw SignetError(
        .fileMissing, name, "are not installed beside this program", expected: "one of the folders",
        found: "none of \(places.joined(separator: ", "))", hint: "install Signet whole, with make install")
    }
    return Templates(folder: place)
  }

  /// Fills in a template.
  ///
  /// - Parameters:
  ///   - path: its path below the folder.
  ///   - values: what stands for `{{name}}`, by names. A line of such names alone is left out if they all stand for
  ///     nothing. What stands for a name is not filled in again.
  /// - Throws: `file.missing`, `file.others-may-write`, `template.malformed`.
  func text(_ path: String, _ values: [String: String] = [:]) throws(SignetError) -> String {
    let file = try TrustedPath.open("\(folder)/\(path)", isSecret: false)
    let bytes = try file.bytes(limit: Self.sizeLimit)
    guard let template = String(validating: bytes, as: UTF8.self) else {
      throw Self.malformed(file.path, "is not UTF-8")
    }
    var lines: [String] = []
    for line in template.split(separator: "\n", omittingEmptySubsequences: false) {
      let filled = try Self.filled(line, values, file.path)
      if filled.isEmpty, !line.isEmpty { continue }
      lines.append(filled)
    }
    return lines.joined(separator: "\n")
  }

  /// Fills in a template that is a part of another one: there is no line after it.
  func part(_ path: String, _ values: [String: String] = [:]) throws(SignetError) -> String {
    let text = try text(path, values)
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  private static func filled(
    _ line: Substring, _ values: [String: String], _ path: String
  ) throws(SignetError) -> String {
    var filled = ""
    var rest = line
    while let start = rest.firstRange(of: "{{") {
      filled += rest[..<start.lowerBound]
      rest = rest[start.upperBound...]
      guard let end = rest.firstRange(of: "}}"), let value = values[String(rest[..<end.lowerBound])] else {
        throw malformed(path, "has an unknown name: {{\(rest.prefix(40))")
      }
      filled += value
      rest = rest[end.upperBound...]
    }
    return filled + rest
  }

  private static func malformed(_ path: String, _ what: String) -> SignetError {
    SignetError(.templateMalformed, path, what, hint: "install the templates of this program's version again")
  }
}

extension SignetError.Code {
  /// A template of new projects is not one that this version of the program can fill in.
  static let templateMalformed = Self("template.malformed", .failure)
}
