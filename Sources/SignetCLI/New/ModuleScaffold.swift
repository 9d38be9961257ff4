internal import Signet

/// The files of a new plugin.
struct ModuleScaffold {
  struct File {
    let path: String
    let text: String

    init(_ path: String, _ text: String) {
      self.path = path
      self.text = text
    }
  }

  /// The maximum length of a name: that of a label of a domain name (RFC 1035, section 2.3.4), as identifiers have
  /// them.
  static let nameLimit = 63

  let name: String
  let identifier: ModuleIdentifier
  let signet: SignetSource

  /// Whether a text is a name: it is used in an identifier, as a file's name, as a symbol of C and, with a capital, as
  /// a type of Swift.
  static func isName(_ text: String) -> Bool {
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return text.utf8.count <= nameLimit && text.utf8.first.map(letters.contains) == true
      && text.utf8.allSatisfy { letters.contains($0) || digits.contains($0) }
  }

  /// The file name of the module's binary.
  var libraryName: String { ModuleFileName.name(of: identifier, on: .linuxX86) }

  var capitalizedName: String { name.prefix(1).uppercased() + name.dropFirst() }

  var description: File {
    File(
      "module.json",
      """
      {
        "identifier": "\(identifier)",
        "version": "1.0.0",
        "sequence": 1,
        "binary": { "linux-x86_64": { "path": "lib/\(libraryName)", "needed": [] } },
        "principal": "\(name)_main",
        "routes": ["ui://\(name)", "ui://\(name)/:item"]
      }

      """)
  }

  /// The `.gitignore` file. It lists the publisher's private key: the README has it made here, and it must not be
  /// committed.
  ///
  /// - Parameter built: the other files that a build leaves.
  func ignored(_ built: [String]) -> File {
    File(
      ".gitignore", (built + ["/module/", "/publisher", "*.zip", "*.sigstore.json*"]).joined(separator: "\n") + "\n")
  }

  /// The part of the Makefile that makes the module's directory from a library.
  var assembly: String {
    """
    # What hosts are told of the binary: this machine's platform, and the libraries that it needs.
    module: $(LIBRARY) module.json
    \trm -rf module
    \tmkdir -p module/lib
    \tcp $(LIBRARY) module/lib/\(libraryName)
    \tif [ -d resources ]; then cp -R resources module/; fi
    \tneeded=$$(readelf -d $(LIBRARY) | sed -nE 's/.*\\(NEEDED\\).*\\[(.*)\\]/"\\1"/p' | sort -u | paste -sd, -); \\
    \tsed -e "s/\\"linux-x86_64\\"/\\"linux-$$(uname -m)\\"/" -e "s/\\"needed\\": \\[\\]/\\"needed\\": [$$needed]/" \\
    \t\tmodule.json > module/module.json

    .PHONY: module
    """
  }

  func readme(_ language: String, _ flags: String) -> File {
    File(
      "README.md",
      """
      # \(capitalizedName)

      A plugin in \(language) for hosts that load modules of Signet. It offers the pages `ui://\(name)` and `ui://\(name)/:item`.

      ```sh
      make                                           # builds the module into module/
      signet pack module --out \(name).zip
      signet keygen --out publisher                  # once
      signet sign \(name).zip --key publisher --attach
      signet verify \(name).zip --key publisher.pub --module \(identifier)
      ```

      Whoever trusts `publisher.pub` for `\(identifier)` can install `\(name).zip`: `signet module install`, or a host.

      - `module.json` says what the module is and what it may register: add routes, targets, services and resources there, too. What lies in a
        folder `resources` comes along once `"resources": ["resources"]` says so.
      - Each release has a higher `sequence`; `version` is for people, and for modules that require this one.
      - \(flags)

      """)
  }
}
