/// Bytes that look random and are the same every time: a linear congruential generator's high bytes.
public func patternBytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
  var state = seed
  return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
    for index in 0..<count {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      buffer[index] = UInt8(truncatingIfNeeded: state >> 56)
    }
    initialized = count
  }
}
