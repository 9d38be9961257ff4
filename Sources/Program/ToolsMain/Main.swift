internal import SignetTools

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

@main
enum ToolsProgram {
  static func main() {
    exit(SignetTools.run())
  }
}
