import Testing

@testable import SignetSystem

@Suite("groups without other members")
struct GroupAccountsTests {
  private static func isPrivate(
    group: UInt32 = 1000, name: String = "ann", members: [String] = [], owners: [UInt32] = [1000], own: UInt32 = 1000
  ) -> Bool {
    GroupAccounts(
      user: .init(name: "ann", number: 1000, group: own), group: .init(name: name, number: group, members: members),
      owners: owners
    ).isPrivate
  }

  @Test("a user's own group with the user's name has no other member")
  func own() {
    #expect(Self.isPrivate())
    #expect(Self.isPrivate(members: ["ann"]))
    #expect(Self.isPrivate(members: ["root", "ann"], owners: [0, 1000]))
    // The system may list its users elsewhere.
    #expect(Self.isPrivate(owners: []))
  }

  @Test("a group with another member, or of which that is not known, may be somebody else")
  func others() {
    #expect(!Self.isPrivate(members: ["bob"]))
    #expect(!Self.isPrivate(members: ["ann", "bob"]))
    #expect(!Self.isPrivate(owners: [1000, 1001]))
    #expect(!Self.isPrivate(name: "users"))
    #expect(!Self.isPrivate(own: 100))
    #expect(!Self.isPrivate(group: 20, name: "ann"))
  }

  @Test("who has a group for their own is read from the list of users")
  func list() {
    let text = """
      root:x:0:0:root:/root:/bin/bash
      ann:x:1000:1000::/home/ann:/bin/sh
      bob:x:1001:1000:Bob:/home/bob:/bin/sh
      # a remark
      carol:x:1002:100
      broken:x:1003

      +::::::
      """
    #expect(GroupAccounts.owners(of: 1000, in: Array(text.utf8)) == [1000, 1001])
    #expect(GroupAccounts.owners(of: 0, in: Array(text.utf8)) == [0])
    #expect(GroupAccounts.owners(of: 100, in: Array(text.utf8)) == [1002])
    #expect(GroupAccounts.owners(of: 7, in: Array(text.utf8)).isEmpty)
  }
}
