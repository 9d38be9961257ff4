import StoreFront
import Testing

@Suite("the store's screen") struct StoreScreenTests {
  private let screen = StoreScreen((1...7).map { StoreItem(identifier: "com.example.m\($0)", version: "1.0.0") })

  @Test("PA13: seven items are three rows of three, and the last cells are empty")
  func rows() {
    #expect(screen.rows.map { $0.compactMap { $0 }.count } == [3, 3, 1])
    #expect(screen.rows.allSatisfy { $0.count == StoreScreen.columns })
    #expect(screen.rows[2][0]?.identifier == "com.example.m7")
    #expect(screen.rows[2][1] == nil && screen.rows[2][2] == nil)
    #expect(StoreScreen([]).rows.isEmpty)
  }

  @Test("PA13: what is not there, or is older, is fetched; what is there is opened; an empty cell does nothing")
  func taps() {
    #expect(screen.tap(0) { _ in .absent } == .fetch(screen.items[0]))
    #expect(screen.tap(6) { _ in .older } == .fetch(screen.items[6]))
    #expect(screen.tap(6) { _ in .present } == .open(screen.items[6]))
    for index in [-1, 7, 8, Int.max] { #expect(screen.tap(index) { _ in .present } == .nothing) }
  }
}
