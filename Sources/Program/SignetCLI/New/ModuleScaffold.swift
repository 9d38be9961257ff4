internal import Signet

/// The files of a new plugin.
struct ModuleScaffold {
  let name: String
  let identifier: ModuleIdentifier
  let signet: SignetSource
  /// The calls of a plugin in Swift.
  let style: any ProjectStyle
  /// What the names of types and of the principal begin with: upper-case letters and digits, or nothing.
  var prefix = ""
  /// The key of the binary in the description. The Makefile puts this machine's platform in the place of the usual one.
  var platform = ModulePlatform.linuxX86
  /// The tests that the package begins with.
  var tests = ProjectTests()

  /// The file name of the module's binary.
  var libraryName: String { ModuleFileName.name(of: identifier, on: .linuxX86) }

  var capitalizedName: String { prefix + name.prefix(1).uppercased() + name.dropFirst() }

  /// The symbol that the host calls.
  var principal: String { prefix.isEmpty ? "\(name)_main" : "\(prefix.lowercased())_\(name)_main" }

  var description: ScaffoldFile {
    ScaffoldFile(
      "module.json",
      """
      {
        "identifier": "\(identifier)",
        "version": "1.0.0",
        "sequence": 1,
        "binary": { "\(platform)": { "path": "lib/\(libraryName)", "needed": [] } },
        "principal": "\(principal)",
        \(style.declarations(of: name))
      }

      """)
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

  func readme(_ language: String, _ flags: String) -> ScaffoldFile {
    ScaffoldFile(
      "README.md",
      """
      # \(capitalizedName)

      A plugin in \(language) for hosts that load modules of Signet. It offers \(style.offer(of: name)).

      ```sh
      make                                           # builds the module into module/
      signet pack module --out \(name).zip
      signet keygen --out publisher                  # once
      signet sign \(name).zip --key publisher --attach
      signet verify \(name).zip --key publisher.pub --module \(identifier)
      ```

      A host installs `\(name).zip` if its policy trusts `publisher.pub` for `\(identifier)`, and so does `signet store install`.

      - `module.json` says what the module is and what it may register: declare routes, targets, services and resources there. To ship the files of
        a folder `resources`, add `"resources": ["resources"]`.
      - Each release has a higher `sequence`; `version` is for people, and for modules that require this one.
      - \(flags)

      """)
  }
}
