internal import GateReports
internal import ReleaseGate
internal import SignetBase
internal import SignetCLI
internal import SignetSystem

/// `signet gate --recheck`: confirms that a release is still what a report says of it.
struct GateRecheck {
  let report: String
  let folders: [String]

  func run(_ console: Console) throws(SignetError) -> ExitStatus {
    let listing: JSONReport.Listing
    do throws(SignetError) {
      listing = try JSONReport.Listing(
        reading: RegularFile(opening: report).bytes(limit: JSONReport.Listing.limits.size))
    } catch {
      guard error.code == .gateReportMalformed || error.code.rawValue.utf8.starts(with: "json.".utf8) else {
        throw error
      }
      var other = error.about("\(report): \(error.object)")
      other.hint =
        "give the report in JSON that the gate wrote of the release: signet gate DIR --policy POLICY --report json=FILE"
      throw other
    }
    let differences = try ProgressBar.show(report, size: nil, console) { (counter) throws(SignetError) in
      try Recheck(listing).differences(in: folders, progress: counter)
    }
    let status: ExitStatus = differences.isEmpty ? .done : .refused
    if console.isJSON {
      let verdict = JSONValue.object(
        ("file", .string(report)), ("verdict", .string(differences.isEmpty ? "unchanged" : "refused")),
        ("files", .integer(listing.entries.count)),
        ("reasons", differences.isEmpty ? nil : .array(differences.map { Report.json($0) })))
      try console.document(Report.document("gate", [verdict], status))
    } else if differences.isEmpty {
      try console.result(
        "\(Console.good()) unchanged  \(Amount.of(listing.entries.count, "file", "files")) as checked at \(listing.time)"
      )
    } else {
      console.refuse(report, differences)
    }
    return status
  }
}
