internal import CMutants

// The switches that .ci/mutants puts into the sources of a target.

/// 0 is no mutant.
@inline(__always)
func mutantIsOn(_ number: Int32) -> Bool { number != 0 && signet_mutant_is_on(number) }

func mutantFlip(_ number: Int32, _ value: Bool) -> Bool { mutantIsOn(number) != value }

func mutantForce(_ toFalse: Int32, _ toTrue: Int32, _ value: Bool) -> Bool {
  mutantIsOn(toFalse) ? false : mutantIsOn(toTrue) ? true : value
}

func mutantBound<Number: FixedWidthInteger>(_ greater: Int32, _ smaller: Int32, _ value: Number) -> Number {
  mutantIsOn(greater) ? value &+ 1 : mutantIsOn(smaller) ? value &- 1 : value
}

func mutantLess<Value: Comparable>(_ number: Int32, _ left: Value, _ right: Value) -> Bool {
  mutantIsOn(number) ? left <= right : left < right
}

func mutantLessOrSame<Value: Comparable>(_ number: Int32, _ left: Value, _ right: Value) -> Bool {
  mutantIsOn(number) ? left < right : left <= right
}

func mutantGreater<Value: Comparable>(_ number: Int32, _ left: Value, _ right: Value) -> Bool {
  mutantIsOn(number) ? left >= right : left > right
}

func mutantGreaterOrSame<Value: Comparable>(_ number: Int32, _ left: Value, _ right: Value) -> Bool {
  mutantIsOn(number) ? left > right : left >= right
}
