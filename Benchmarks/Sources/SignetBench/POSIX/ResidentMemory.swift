/// What this process has in memory, as the system counts it (proc(5), statm).
enum ResidentMemory {
  static var bytes: Int {
    let text = TextFile.content(of: "/proc/self/statm") ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * 4096
  }
}
