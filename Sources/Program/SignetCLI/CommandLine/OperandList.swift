/// A command that takes any number of files.
package protocol ManyFiles: SignetSubcommand {
  /// The files, in their order.
  var file: [String] { get set }
}

/// A command line whose files are kept from the parser. The parser's time grows with the square of their number: for
/// 16,000 files, it took longer than hashing them.
///
/// An option takes at most one value, the argument right after it. So in a row of arguments without a dash at the
/// start, only the first can be the value of an option. The others are files, and so is everything after `--`. The
/// first two of a row stay as they are, so that the parser sees whether there are several files. One argument replaces
/// the rest.
struct OperandList {
  /// The arguments that the parser reads.
  let arguments: [String]
  /// The files that each replacement stands for.
  private let rows: [ArraySlice<String>]

  /// The start of each replacement: no argument of a process has NUL in it.
  private static let mark = "\u{0}"

  /// Takes the files out of the command line of a command that takes any number of them.
  init(_ all: [String], of tree: CommandTree) {
    let (command, words) = tree.command(leading: all)
    guard command is any ManyFiles.Type else {
      arguments = all
      rows = []
      return
    }
    var kept = Array(all[..<words])
    var rows: [ArraySlice<String>] = []
    func keep(_ row: ArraySlice<String>) {
      kept += row.prefix(2)
      let rest = row.dropFirst(2)
      guard !rest.isEmpty else { return }
      kept.append("\(Self.mark)\(rows.count)")
      rows.append(rest)
    }
    var next = words
    while next < all.count {
      if all[next] == "--" {
        kept.append("--")
        keep(all[(next + 1)...])
        break
      }
      let end = all[next...].firstIndex { $0.utf8.first == UInt8(ascii: "-") } ?? all.count
      if end == next {
        kept.append(all[next])
        next += 1
      } else {
        keep(all[next..<end])
        next = end
      }
    }
    arguments = kept
    self.rows = rows
  }

  /// The files that the parsed arguments stand for.
  func files(_ parsed: [String]) -> [String] {
    parsed.flatMap { argument -> ArraySlice<String> in
      guard argument.utf8.first == 0, let row = Int(argument.dropFirst()) else { return [argument] }
      return rows[row]
    }
  }
}
