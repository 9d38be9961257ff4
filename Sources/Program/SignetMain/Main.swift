internal import SignetCLI

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

@main
enum Main {
  static func main() {
    exit(SignetCLI.run())
  }
}
