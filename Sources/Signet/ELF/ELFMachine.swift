/// The processors whose binaries are checked (gABI, "ELF Header", e_machine).
package enum ELFMachine: UInt16, Sendable {
  /// EM_X86_64.
  case x86 = 62
  /// EM_AARCH64.
  case arm = 183

  /// The processor of a platform; nil where binaries are no ELF files.
  package init?(_ platform: ModulePlatform) {
    switch platform {
    case .linuxX86: self = .x86
    case .linuxARM: self = .arm
    default: return nil
    }
  }

  /// The largest pages that Linux has there: neighbouring segments may not share one. A library that is aligned to
  /// smaller ones does not load where pages are larger than that.
  var largestPage: UInt64 {
    switch self {
    case .x86: 4096
    case .arm: 65536
    }
  }

  /// What a number in a header stands for, for people.
  static func name(_ machine: UInt16) -> String {
    switch machine {
    case 3: "x86"
    case 8: "MIPS"
    case 20, 21: "PowerPC"
    case 22: "S/390"
    case 40: "ARM"
    case 62: "x86-64"
    case 183: "AArch64"
    case 243: "RISC-V"
    case 258: "LoongArch"
    default: "machine \(machine)"
    }
  }
}
