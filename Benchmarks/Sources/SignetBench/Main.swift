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
    var options = options
    options.tufPython = try options.tufPython.map(Path.absolute)
    let results = try options.results.map(Path.absolute)
    let folder = try WorkFolder()
    defer { folder.remove() }
    let workshop = try Workshop(signet: signet, modelSigning: modelSigning, size: options.size)
    let (machine, versions) = (try Machine.current(), try Versions.present(workshop))
    let floor = try workshop.memoryFloor()
    // The programs first: what this process has in memory counts as theirs while they are started.
    var comparisons: [Comparison] = []
    var failures: [BenchFailure] = []
    /// Measures one case. What fails takes nothing from the others, which may have taken an hour.
    func measure(_ cases: Options.Case..., by body: () throws -> [Comparison]) throws {
      guard !options.cases.isDisjoint(with: cases) else { return }
      do { comparisons += try body() } catch {
        try Interruption.check()
        failures.append(error as? BenchFailure ?? BenchFailure(message: "\(error)"))
        StandardStream.error.write("error: \(failures[failures.count - 1].message)\n")
      }
    }
    try measure(.files) { try LargeFileCases.measure(workshop, options) }
    try measure(.directories) { try DirectoryCases.measure(workshop, options) }
    try measure(.modules) { try ModuleCases.measure(workshop, options) }
    try measure(.gate) { try GateCases.measure(workshop, options) }
    try measure(.operands) { try OperandCase.measure(workshop, options) }
    try measure(.start) { try StartCase.measure(workshop, options) }
    try measure(.keyless) { try KeylessCases.measure(workshop, options) }
    try measure(.timestamps) { try StampCases.measure(workshop, options) }
    try measure(.inProcess) { try InProcessCase.measure(options) }
    try measure(.bundles) { try BundleCases.measure(options) }
    #if canImport(Glibc)
      try measure(.host, .requirements, .lock) { try HostCases.measure(workshop, options) }
    #endif
    try measure(.faces) { try FaceCases.measure(workshop, options) }
    try measure(.router) { try RouterCases.measure(options) }
    try measure(.images) { try ImageCases.measure(workshop, options) }
    try measure(.resolution) { try ResolutionCase.measure(options) }
    var scales: [RegistryScale] = []
    try measure(.registry) {
      let measured = try RegistryCases.measure(workshop, options)
      scales = try RegistryCases.scale(workshop, options)
      return measured
    }
    let report = ResultsDocument(
      machine: machine, versions: versions, floor: floor, comparisons: comparisons, scales: scales)
    StandardStream.output.write(report.summary)
    // A report without what has failed would look whole.
    if let first = failures.first { throw first }
    guard let results else { return }
    let remarks = TextFile.content(of: Path.sibling(of: results, named: "REMARKS.md"))
    try TextFile.write(report.markdown(remarks: remarks), to: results)
  }
}
