internal import ArgumentParser

/// A completion script with what the parser's own does not offer.
///
/// The parser knows nothing of a command that may be left unnamed: after `signet gate`, it offers the names of commands,
/// but no folders. It cannot say that a file follows a value either, as in `--report html=FILE`.
struct CompletionScript {
  /// The commands that there are.
  let tree: CommandTree

  /// Adds what is missing to the parser's script.
  func completed(_ script: String) -> String {
    var lines = script.components(at: "\n")
    if script.hasPrefix("#!/bin/bash") { inBash(&lines) }
    if script.hasPrefix("#compdef") { inZsh(&lines) }
    if script.hasPrefix("function __signet") { inFish(&lines) }
    return lines.joined(separator: "\n")
  }

  /// A command that stands for another one.
  private struct Short {
    let words: [String]
    let whole: String
    let names: [String]
  }

  private var shorts: [Short] {
    tree.paths.compactMap { words in
      guard let command = tree.command(at: words),
        let whole = command.configuration.defaultSubcommand?.configuration.commandName
      else { return nil }
      return Short(words: words, whole: whole, names: CommandTree.names(of: command))
    }
  }

  private func inBash(_ lines: inout [String]) {
    for short in shorts {
      let name = (["_signet"] + short.words).joined(separator: "_")
      lines.insert(
        after: "\(name)() {",
        """
            case " \(short.names.joined(separator: " ")) " in
            *" ${unparsed_words[0]} "*) ;;
            *)
                [[ "${#unparsed_words[@]}" -le 1 ]] && COMPREPLY+=($(compgen -W '\(short.names.joined(separator: " "))' -- "${cur}"))
                \(name)_\(short.whole)
                return
                ;;
            esac
        """)
    }
    // Bash takes the equals sign for a word of its own.
    lines.insert(
      after: #"    local -r prev="${3}""#,
      """

          if [[ "${prev}" = '=' || "${COMP_WORDS[${COMP_CWORD}]}" = '=' ]]; then
              __signet_add_completions -f
              return
          fi
      """)
    for index in lines.indices.reversed() {
      guard lines[index].hasPrefix("        __signet_add_completions -W '"), lines[index].contains("='$'\\n''") else {
        continue
      }
      // There is no completion going on when a test calls the function.
      lines.insert("        compopt +o filenames -o nospace 2> /dev/null", at: index)
    }
  }

  private func inZsh(_ lines: inout [String]) {
    lines.insert(
      after: "#compdef signet",
      """

      __signet_pairs() {
          if compset -P '*='; then _files; else compadd -S '' -- "${@}"; fi
      }
      """)
    for index in lines.indices where lines[index].contains("=file:{__signet_complete ") {
      lines[index].replace("=file:{__signet_complete ", with: "=file:{__signet_pairs ")
    }
    for short in shorts {
      let name = (["_signet"] + short.words).joined(separator: "_")
      lines.insert(
        after: "\(name)() {",
        """
            if [[ "${CURRENT}" -gt 2 && "${words[2]}" != (\(short.names.joined(separator: "|"))) || "${words[2]}" = -* ]]; then
                \(name)_\(short.whole)
                return
            fi
        """)
      guard let start = lines.firstIndex(of: "\(name)() {"),
        let describe = lines[start...].firstIndex(where: { $0.contains("_describe -V subcommand subcommands") })
      else { continue }
      lines.insert("        _files -/ && ret=0", at: describe + 1)
    }
  }

  private func inFish(_ lines: inout [String]) {
    for index in lines.indices where lines[index].contains("= ") && lines[index].hasSuffix("='") {
      lines[index].replace(" -rfka '", with: " -rka '")
    }
    for short in shorts {
      let indent = String(repeating: " ", count: 8 + 8 * (short.words.count - 1))
      guard let last = short.words.last, let start = lines.firstIndex(of: "\(indent)case '\(last)'"),
        let whole = lines[start...].firstIndex(of: "\(indent)    case '\(short.whole)'"),
        let end = lines[whole...].firstIndex(of: "\(indent)    end")
      else { continue }
      let parse = lines[whole + 1]
      lines.insert(
        contentsOf: [
          "\(indent)    case '*'", "\(indent)        if test (count $unparsed_tokens) -gt 0",
          "\(indent)            set -p unparsed_tokens '\(short.whole)'", "    " + parse, "\(indent)        end",
        ], at: end)
      // Nothing is named yet, so what may follow is a command's name, or what follows the unnamed command.
      let name = (["signet"] + short.words).joined(separator: " ")
      for line in lines where line.hasPrefix("complete ") && line.contains(" \"\(name) \(short.whole)\"") {
        lines.append(
          line.replacing(" \"\(name) \(short.whole)\" -ge 1'", with: " \"\(name)\" -eq 1'")
            .replacing(" \"\(name) \(short.whole)\"", with: " \"\(name)\""))
      }
    }
  }
}

extension String {
  fileprivate func components(at separator: Character) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }
}

extension [String] {
  /// Adds text behind the first line that is this one.
  fileprivate mutating func insert(after line: String, _ text: String) {
    guard let index = firstIndex(of: line) else { return }
    insert(contentsOf: text.components(at: "\n"), at: index + 1)
  }
}
