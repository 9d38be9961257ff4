import ReleaseGate
import Testing

@Suite struct AmountTests {
  @Test(
    "numbers have commas between thousands",
    arguments: [
      (0, "0"), (7, "7"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-12_345, "-12,345"),
      (Int.max, "9,223,372,036,854,775,807"), (Int.min, "-9,223,372,036,854,775,808"),
    ])
  func numbers(number: Int, text: String) {
    #expect(Amount.number(number) == text)
  }

  @Test(
    "sizes have the largest unit that they reach",
    arguments: [
      (0, "0 bytes"), (1, "1 byte"), (1023, "1,023 bytes"), (1024, "1.0 KiB"), (1535, "1.4 KiB"),
      (1 << 20, "1.0 MiB"), ((1 << 20) - 1, "1,023.9 KiB"), (Int.max, "7.9 EiB"), (-5, "-5 bytes"),
    ])
  func sizes(count: Int, text: String) {
    #expect(Amount.bytes(count) == text)
  }
}
