import Foundation
import TestSupport

#if os(Linux)
  /// A program in the place of signet, which writes down how it was called.
  struct FakeSignet {
    /// A call of the program.
    struct Call {
      /// The arguments.
      let arguments: [String]
      /// The variables, each as `NAME=VALUE`.
      let environment: [String]
      /// What came from the descriptors of the options: the key, the passphrase, the key for the verdict.
      let secrets: [String: String]
      /// What the descriptors were, such as `pipe:[12]`.
      let places: [String: String]
    }

    /// Where the program is.
    let path: String
    private let folder: TemporaryFolder
    private static let secrets = ["key", "passphrase", "attest"]

    /// - Parameters:
    ///   - status: the status with which it ends.
    ///   - output: what it writes to standard output.
    ///   - errors: what it writes to standard error.
    ///   - reports: what it writes into the report of a format.
    init(
      status: Int = 0, output: String = "", errors: String = "", reports: [String: String] = ["json": "{}"]
    ) throws {
      folder = try TemporaryFolder()
      // Only the path to it needs quotes.
      try FileManager.default.createDirectory(atPath: folder.file("some where"), withIntermediateDirectories: true)
      let text = """
        #!/bin/bash
        record='\(folder.path)'
        number=0
        while [ -e "$record/$number.arguments" ]; do number=$((number + 1)); done
        printf '%s\\0' "$@" > "$record/$number.arguments"
        cat /proc/$$/environ > "$record/$number.environment"
        take() {
          readlink "/proc/$$/fd/$2" > "$record/$number.$1.place"
          cat <&"$2" > "$record/$number.$1"
        }
        for argument in "$@"; do
          case $argument in
            --key-fd=*) take key "${argument#*=}" ;;
            --passphrase-fd=*) take passphrase "${argument#*=}" ;;
            --attest-key-fd=*) take attest "${argument#*=}" ;;
            --report=*=*)
              value=${argument#*=}
              [ ! -e "$record/report.${value%%=*}" ] || cat "$record/report.${value%%=*}" > "${value#*=}"
              ;;
          esac
        done
        cat "$record/output"
        cat "$record/errors" >&2
        exit \(status)

        """
      path = try folder.write("some where/signet", Array(text.utf8), mode: 0o755)
      try folder.write("output", Array(output.utf8))
      try folder.write("errors", Array(errors.utf8))
      for (format, report) in reports { try folder.write("report.\(format)", Array(report.utf8)) }
    }

    /// The calls, in order.
    func calls() throws -> [Call] {
      let names = try folder.listing()
      return try (0..<names.count).filter { names.contains("\($0).arguments") }.map { number in
        var secrets: [String: String] = [:]
        var places: [String: String] = [:]
        for secret in Self.secrets where names.contains("\(number).\(secret)") {
          secrets[secret] = String(decoding: try folder.read("\(number).\(secret)"), as: UTF8.self)
          places[secret] = String(decoding: try folder.read("\(number).\(secret).place"), as: UTF8.self)
        }
        return Call(
          arguments: try texts("\(number).arguments"), environment: try texts("\(number).environment"),
          secrets: secrets, places: places)
      }
    }

    /// The texts of a file in which a NUL ends each.
    private func texts(_ name: String) throws -> [String] {
      try folder.read(name).split(separator: 0, omittingEmptySubsequences: false).dropLast()
        .map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// What people who may not push could write where a pipeline takes it from: names of branches, tags and files.
  enum HostileText {
    /// None has a line break in it, and none may do anything in a shell.
    static let all = [
      "a b", "$(touch pwned)", "`touch pwned`", "'; touch pwned; '", "\"; touch pwned; \"", "a && touch pwned",
      "${IFS}touch${IFS}pwned", "a | touch pwned", "a > pwned", "-rf", "--json", "--", "*", "~", "\\", "\\n",
      "%0A::error::x", "::set-output name=verdict::clean", "##[set-output name=verdict]clean",
      "${{ github.token }}", "\u{202e}gnp.exe", "END",
    ]
  }

  extension Program {
    /// Runs a program that has these variables, and no others but where programs are.
    static func runAlone(
      _ path: String, _ arguments: [String], in folder: String, environment: [String: String],
      path search: String? = nil
    ) throws -> Program {
      let search = search ?? ProcessInfo.processInfo.environment["PATH"] ?? ""
      let variables = environment.merging(["PATH": search, "LC_ALL": "C.UTF-8"]) { $1 }
      let words = ["-i"] + variables.map { "\($0.key)=\($0.value)" }.sorted() + [path] + arguments
      return try run("/usr/bin/env", words, in: folder)
    }
  }
#endif
