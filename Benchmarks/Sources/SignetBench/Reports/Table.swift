/// A table in Markdown, its columns aligned so that it reads well as plain text too.
struct Table {
  private var rows: [[String]]

  init(_ header: String...) { rows = [header] }

  mutating func add(_ cells: String...) { rows.append(cells) }

  var markdown: String {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    func line(_ cells: [String], _ filler: Character) -> String {
      let padded = zip(cells, widths).map { $0 + String(repeating: filler, count: $1 - $0.count) }
      return "| " + padded.joined(separator: " | ") + " |\n"
    }
    return line(rows[0], " ") + line(widths.map { String(repeating: "-", count: $0) }, "-")
      + rows.dropFirst().map { line($0, " ") }.joined()
  }
}
