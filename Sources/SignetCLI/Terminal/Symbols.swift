/// The signs that stand for words: those of Unicode where the locale has them, ASCII elsewhere.
struct Symbols {
  /// Before what is verified or done.
  let good: String
  /// Before what is refused or could not be done.
  let bad: String
  /// In place of what is left out.
  let ellipsis: String

  /// Those of the process's locale.
  static let current = Symbols(isUnicode: localeIsUnicode)

  init(isUnicode: Bool) {
    (good, bad, ellipsis) = isUnicode ? ("✓", "✗", "…") : ("ok", "no", "...")
  }

  /// The first of these variables that is there decides (POSIX.1-2017, section 8.2).
  private static var localeIsUnicode: Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { ProcessEnvironment.value($0) }.first { !$0.isEmpty }
    let name = (locale ?? "").lowercased()
    return ["utf-8", "utf8"].contains { name.contains($0) }
  }
}
