import Foundation
import Testing

/// A Markdown document whose commands are run from top to bottom, as a reader would run them.
///
/// A block of `sh` is run, each line by itself, with the lines that continue it. A line that begins with `! ` must be refused with status 1. A block
/// without a language after it shows parts of what was printed, with `…` for what is another each time. A block whose
/// language is followed by a path is a file's content: it is shown if the file is like that already, and written
/// otherwise.
public struct Walkthrough {
  /// A block of a document.
  public struct Block {
    /// The word after the backticks; empty if there is none.
    public let language: String
    /// The file that it is; nil if it is none.
    public let path: String?
    /// Its lines.
    public let lines: [String]

    /// Its lines as a shell takes them: one that ends with a backslash continues in the next.
    public var commands: [String] {
      lines.reduce(into: []) { commands, line in
        if let last = commands.last, last.hasSuffix("\\") {
          commands[commands.count - 1] = last + "\n" + line
        } else {
          commands.append(line)
        }
      }
    }
  }

  /// The blocks from top to bottom.
  public let blocks: [Block]
  private let name: String

  /// Reads a document of the repository.
  public init(_ document: String) throws {
    name = document
    var blocks: [Block] = []
    var open: (words: [String], lines: [String])?
    for line in try Repository.text(document).components(separatedBy: "\n") {
      guard line.hasPrefix("```") else {
        open?.lines.append(line)
        continue
      }
      if let block = open {
        let path = block.words.count > 1 ? block.words[1] : nil
        blocks.append(Block(language: block.words.first ?? "", path: path, lines: block.lines))
        open = nil
      } else {
        open = (line.dropFirst(3).split(separator: " ").map(String.init), [])
      }
    }
    self.blocks = blocks
  }

  /// Runs the commands in a folder.
  ///
  /// - Parameter variables: variables of the commands.
  /// - Returns: how many commands were run, and which files were there as they are shown.
  public func run(
    in folder: TemporaryFolder, variables: [String: String] = [:]
  ) async throws -> (commands: Int, shown: [String]) {
    var output = ""
    var commands = 0
    var shown: [String] = []
    for block in blocks {
      if let path = block.path {
        let content = Array((block.lines.joined(separator: "\n") + "\n").utf8)
        if (try? folder.read(path)) == content {
          shown.append(path)
        } else {
          try folder.write(path, content)
        }
      } else if block.language == "sh" {
        output = ""
        for line in block.commands {
          let isRefused = line.hasPrefix("! ")
          let command = isRefused ? String(line.dropFirst(2)) : line
          let run = try await Shell.runAside(command, in: folder.path, variables: variables)
          #expect(run.status == (isRefused ? 1 : 0), "\(name): \(line)\n\(run.output)\(run.errors)")
          output += run.output + run.errors
          commands += 1
        }
      } else if block.language.isEmpty, commands > 0 {
        for part in block.lines.flatMap({ $0.components(separatedBy: "…") }) {
          #expect(part.isEmpty || output.contains(part), "\(name): «\(part)» in\n\(output)")
        }
      }
    }
    return (commands, shown)
  }
}
