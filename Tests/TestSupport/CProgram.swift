import Foundation
import Testing

/// Compiles C for tests that look at what compilers and linkers make of it.
public enum CProgram {
  #if os(Linux)
    /// The compiler; nil if there is none.
    public static let compiler = Program.find("gcc") ?? Program.find("cc") ?? Program.find("clang")
  #else
    /// The compiler; nil if there is none for ELF files.
    public static let compiler: String? = nil
  #endif

  /// Why a test without the compiler is skipped.
  public static let isMissing: Comment = "no C compiler for ELF files"

  /// A program with a buffer on the stack, and with functions that check buffers if they are asked to.
  public static let source = """
    #include <stdio.h>
    #include <string.h>
    __attribute__((noinline)) int show(const char *text) {
      char buffer[64];
      strcpy(buffer, text);
      return printf("%s begins with %d\\n", buffer, buffer[0]);
    }
    int main(int count, char **words) { return show(words[count - 1]) < 0; }
    """

  /// What hardens code; a flag behind these takes one of them back.
  public static let hardenedCode = [
    "-O2", "-fstack-protector-strong", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2",
  ]
  /// What hardens a program or library when it is linked.
  public static let hardenedLinking = [
    "-Wl,-z,relro", "-Wl,-z,now", "-Wl,-z,noexecstack", "-Wl,--build-id=sha1",
  ]
  /// What makes a hardened program.
  public static let hardened = ["-fPIE", "-pie"] + hardenedCode + hardenedLinking
  /// What makes a hardened library.
  public static let hardenedLibrary = ["-fPIC", "-shared"] + hardenedCode + hardenedLinking

  /// Compiles and links a program, or a library if the flags say so.
  public static func build(
    _ source: String = source, _ flags: [String] = hardened, in folder: TemporaryFolder? = nil,
    named name: String = "program"
  ) throws -> [UInt8] {
    let folder = try folder ?? TemporaryFolder()
    let compiler = try #require(compiler)
    try folder.write("\(name).c", Array(source.utf8))
    let result = try Program.run(compiler, ["-o", name, "\(name).c"] + flags, in: folder.path)
    try #require(result.status == 0, "\(flags): \(result.errors)")
    return try folder.read(name)
  }
}
