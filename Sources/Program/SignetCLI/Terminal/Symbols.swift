/// The signs that replace words: those of Unicode if the locale has them, otherwise ASCII.
struct Symbols {
  /// The sign before something that is verified or done.
  let good: String
  /// The sign before something that is refused or could not be done.
  let bad: String
  /// The sign in place of text that is left out.
  let ellipsis: String

  /// The signs for the process's locale.
  static let current = Symbols(isUnicode: localeIsUnicode)

  init(isUnicode: Bool) {
    (good, bad, ellipsis) = isUnicode ? ("✓", "✗", "…") : ("ok", "no", "...")
  }

  /// The first of these variables that is set decides (POSIX.1-2017, section 8.2).
  private static var localeIsUnicode: Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { ProcessEnvironment.value($0) }.first { !$0.isEmpty }
    let name = (locale ?? "").lowercased()
    return ["utf-8", "utf8"].contains { name.contains($0) }
  }
}
