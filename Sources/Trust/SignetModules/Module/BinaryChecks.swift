package import SignetBase
package import SignetELF
package import SignetNames
package import SignetSystem
package import SignetVerify

extension ModulePlatform {
  /// The processor that the platform's ELF files are built for; nil for platforms without ELF.
  package var machine: ELFMachine? { [ELFMachine.x86, .arm].first { $0.platform.isExactly(rawValue) } }
}

extension ModuleDescription {
  /// Checks the code for every platform that the description names.
  ///
  /// - Parameter open: opens a file of the module by its path.
  /// - Returns: every fault and all advice, platform by platform.
  /// - Throws: what `open` throws, and `file.…` if a file cannot be read, since nothing is known about it then.
  package func binaryFindings(
    _ open: (String) throws(SignetError) -> any ByteSource
  ) throws(SignetError) -> BinaryFindings {
    var findings = BinaryFindings()
    for (platform, binary) in binaries.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      guard let machine = platform.machine else {
        findings.advice.append(
          SignetError(
            .elfUnchecked, binary.path, "is for a platform whose binaries cannot be checked here",
            found: "\(platform)"))
        continue
      }
      var images: [ELFImage] = []
      for path in [binary.path] + binary.libraries {
        let source = try open(path)
        do throws(SignetError) {
          images.append(try ELFImage(source, path: path, for: machine))
        } catch {
          guard [.elfMalformed, .elfArchitecture, .elfType].contains(error.code) else { throw error }
          findings.errors.append(error)
        }
      }
      // What an unreadable image would have offered is unknown, so each of the others is judged by itself.
      guard images.count == binary.libraries.count + 1, let main = images.first, let principal else {
        findings.errors += images.flatMap { $0.faults() }
        findings.advice += images.flatMap { $0.advice() }
        continue
      }
      let whole = ModuleBinary(
        of: identifier, on: platform, main: main, libraries: Array(images.dropFirst()), declared: binary.needed,
        principal: principal)
      let found = whole.findings()
      findings.errors += found.errors
      findings.advice += found.advice
    }
    return findings
  }
}
