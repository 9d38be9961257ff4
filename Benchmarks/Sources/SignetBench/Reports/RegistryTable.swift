/// What registries with very many modules cost.
struct RegistryTable {
  let scales: [RegistryScale]

  var markdown: String {
    guard let first = scales.first else { return "Not measured.\n" }
    var table = Table("what", "with bins", "without bins", "goal", "met")
    table.add(
      "roles that the snapshot lists", "\(first.roles)", scales.count > 1 ? "\(scales[1].roles)" : "", "", "")
    for step in RegistryScale.Step.allCases {
      guard let cost = first.costs[step] else { continue }
      table.add(
        step.rawValue, Self.words(cost), scales.count > 1 ? scales[1].costs[step].map(Self.words) ?? "" : "",
        step.goal.map(Self.words) ?? "", step.goal.map { Self.isMet($0, cost) ? "yes" : "**no**" } ?? "")
    }
    return """
      \(first.modules) modules of \(first.publishers) publishers, with \(LargeRegistry.versions) versions each. Requests or files, bytes, \
      and processor time in this process. The files of the modules themselves are not counted, and not there.

      \(table.markdown)
      """
  }

  private static func words(_ cost: RegistryScale.Cost) -> String {
    "\(cost.count), \(Text.kilobytes(cost.bytes)), \(Text.duration(cost.time))"
  }

  private static func words(_ goal: (count: Int?, bytes: Int)) -> String {
    (goal.count.map { "at most \($0), " } ?? "") + "under \(Text.kilobytes(goal.bytes))"
  }

  private static func isMet(_ goal: (count: Int?, bytes: Int), _ cost: RegistryScale.Cost) -> Bool {
    cost.bytes < goal.bytes && goal.count.map { cost.count <= $0 } ?? true
  }
}
