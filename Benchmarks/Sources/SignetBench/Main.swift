#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Exit status 0: everything was measured, whether or not the budgets are met. 1: something could not be measured.
/// 64: wrong usage.
@main
enum Main {
  static func main() {
    do {
      #if canImport(Glibc)
        if try HostStart.runs(CommandLine.arguments) { return }
      #endif
      guard let options = try Options(Array(CommandLine.arguments.dropFirst())) else {
        StandardStream.output.write(Options.usage)
        return
      }
      try run(options)
    } catch let failure as BenchFailure {
      StandardStream.error.write("error: \(failure.message)\n")
      exit(failure.isUsage ? 64 : 1)
    } catch {
      StandardStream.error.write("error: \(error)\n")
      exit(1)
    }
  }

  private static func run(_ options: Options) throws {
    Interruption.install()
    let signet = try Path.resolved(options.signet)
    let modelSigning = try options.modelSigning.map(Path.absolute)
    let results = try options.results.map(Path.absolute)
    let folder = try WorkFolder()
    defer { folder.remove() }
    let workshop = try Workshop(signet: signet, modelSigning: modelSigning, size: options.size)
    let (machine, versions) = (try Machine.current(), try Versions.present(workshop))
    let floor = try workshop.memoryFloor()
    // The programs first: what this process has in memory counts as theirs while they are started.
    var comparisons: [Comparison] = []
    if options.cases.contains(.files) { comparisons += try LargeFileCases.measure(workshop, options) }
    if options.cases.contains(.directories) { comparisons += try DirectoryCases.measure(workshop, options) }
    if options.cases.contains(.modules) { comparisons += try ModuleCases.measure(workshop, options) }
    if options.cases.contains(.gate) { comparisons += try GateCases.measure(workshop, options) }
    if options.cases.contains(.operands) { comparisons += try OperandCase.measure(workshop, options) }
    if options.cases.contains(.start) { comparisons += try StartCase.measure(workshop, options) }
    if options.cases.contains(.keyless) { comparisons += try KeylessCases.measure(workshop, options) }
    if options.cases.contains(.inProcess) { comparisons += try InProcessCase.measure(options) }
    if options.cases.contains(.bundles) { comparisons += try BundleCases.measure(options) }
    #if canImport(Glibc)
      comparisons += try HostCases.measure(workshop, options)
    #endif
    if options.cases.contains(.faces) { comparisons += try FaceCases.measure(workshop, options) }
    if options.cases.contains(.router) { comparisons += try RouterCases.measure(options) }
    if options.cases.contains(.images) { comparisons += try ImageCases.measure(workshop, options) }
    if options.cases.contains(.resolution) { comparisons += try ResolutionCase.measure(options) }
    var scales: [RegistryScale] = []
    if options.cases.contains(.registry) {
      comparisons += try RegistryCases.measure(workshop, options)
      scales = try RegistryCases.scale(workshop, options)
    }
    let report = ResultsDocument(
      machine: machine, versions: versions, floor: floor, comparisons: comparisons, scales: scales)
    StandardStream.output.write(report.summary)
    guard let results else { return }
    let remarks = TextFile.content(of: Path.sibling(of: results, named: "REMARKS.md"))
    try TextFile.write(report.markdown(remarks: remarks), to: results)
  }
}
