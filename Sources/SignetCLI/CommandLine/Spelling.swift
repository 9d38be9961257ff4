/// Finds the word that somebody may have meant.
enum Spelling {
  /// The word among several that takes the fewest changes, where that are few for its length; nil where none is near.
  static func nearest(_ word: String, among words: [String]) -> String? {
    let limit = max(1, min(2, word.count / 3))
    return words.map { ($0, distance(word, $0)) }.filter { $0.1 <= limit }.min { $0.1 < $1.1 }?.0
  }

  /// Letters to insert, remove, replace, or exchange with the next one (optimal string alignment).
  static func distance(_ left: String, _ right: String) -> Int {
    // Longer ones are no names of ours, and would take long.
    let (left, right) = (Array(left.utf8.prefix(64)), Array(right.utf8.prefix(64)))
    var rows = [Array(0...right.count)]
    for i in 1..<(left.count + 1) {
      var row = [i]
      for j in 1..<(right.count + 1) {
        let isSame = left[i - 1] == right[j - 1]
        var least = min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (isSame ? 0 : 1))
        if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
          least = min(least, rows[i - 2][j - 2] + 1)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[left.count][right.count]
  }
}
