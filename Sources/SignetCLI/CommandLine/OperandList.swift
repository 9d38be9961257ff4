/// A command that takes any number of files.
protocol ManyFiles: SignetSubcommand {
  /// The files, in their order.
  var file: [String] { get set }
}

/// A command line whose files are kept from the parser. The parser's time grows with the square of their number: for
/// 16,000 files it took longer than hashing them.
///
/// Options take one value at most, the argument right after them. So in a row of arguments without a dash in front only
/// the first can be the value of an option; the others are files, and so is everything after `--`. The first two of a row
/// stay as they are, so that the parser sees whether there are several files; one argument stands for the rest.
struct OperandList {
  /// What the parser reads.
  let arguments: [String]
  /// What each of the arguments stands for that stand for others.
  private let rows: [ArraySlice<String>]

  /// NUL is in no argument of a process.
  private static let mark = "\u{0}"

  /// Takes the files out of a command line of a command that has any number of them.
  init(_ all: [String]) {
    let (command, words) = CommandTree.command(leading: all)
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

  /// The files that the parser's stand for.
  func files(_ parsed: [String]) -> [String] {
    parsed.flatMap { argument -> ArraySlice<String> in
      guard argument.utf8.first == 0, let row = Int(argument.dropFirst()) else { return [argument] }
      return rows[row]
    }
  }
}
