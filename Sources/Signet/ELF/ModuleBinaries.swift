package import SignetBase
internal import SignetCrypto
package import SignetSystem

extension ModuleDescription {
  /// Checks the code for every platform that the description names.
  ///
  /// - Parameter open: gives a file of the module by its path.
  /// - Returns: all that is wrong and unwise, platform by platform.
  /// - Throws: what `open` throws, and `file.…` when a file cannot be read: then nothing is known of it.
  package func binaryFindings(
    _ open: (String) throws(SignetError) -> any ByteSource
  ) throws(SignetError) -> BinaryFindings {
    var findings = BinaryFindings()
    for (platform, binary) in binaries.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      guard ELFMachine(platform) != nil else {
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
          images.append(try ELFImage(source, path: path, for: platform))
        } catch {
          guard error.code.rawValue.utf8.starts(with: "elf.".utf8) else { throw error }
          findings.errors.append(error)
        }
      }
      // What one that cannot be read would have offered is unknown; the others are judged each by itself.
      guard images.count == binary.libraries.count + 1, let main = images.first, let principal else {
        findings.errors += images.flatMap { $0.faults() }
        findings.advice += images.flatMap { $0.advice() }
        continue
      }
      let whole = ModuleBinary(
        of: identifier, main: main, libraries: Array(images.dropFirst()), declared: binary.needed,
        principal: principal)
      let found = whole.findings()
      findings.errors += found.errors
      findings.advice += found.advice
    }
    return findings
  }
}
