internal import ArgumentParser

struct RepoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repo",
    abstract: "Keep a registry of modules: a signed directory.",
    discussion: """
      A registry is a plain directory that any server of files can offer. Nobody needs to trust the server: all of it is \
      signed (The Update Framework). The root's keys say whose keys count, the targets' keys say who may publish which \
      modules, and a publisher's keys sign its modules. These keys stay offline. The online keys only say what is newest.

      A change of an offline role is a draft until enough people have signed it: change it, signet repo sign, signet repo \
      refresh.

      Examples:
        signet repo init registry --root-key a.pub --root-key b.pub \\
            --root-threshold 2 --targets-key t.pub --online-key o.pub
        signet repo add-publisher registry example --key p.pub \\
            --modules 'com.example.**'
        signet repo sign registry --key a
        signet repo push registry player.zip --publisher example --key p \\
            --online-key o
        signet repo refresh registry --online-key o
        signet repo verify registry
      """,
    groupedSubcommands: [
      CommandGroup(
        name: "Key and publisher",
        subcommands: [
          RepoInitCommand.self, RepoAddPublisherCommand.self, RepoRemovePublisherCommand.self, RepoRotateCommand.self,
        ]),
      CommandGroup(
        name: "Signature",
        subcommands: [
          RepoStatusCommand.self, RepoSignCommand.self, RepoCollectCommand.self, RepoDiscardCommand.self,
        ]),
      CommandGroup(
        name: "Release",
        subcommands: [
          RepoPushCommand.self, RepoRefreshCommand.self, RepoListCommand.self, RepoYankCommand.self,
        ]),
      CommandGroup(
        name: "Upkeep",
        subcommands: [
          RepoVerifyCommand.self, RepoPruneCommand.self, RepoSiteCommand.self, RepoMirrorCommand.self,
        ]),
    ])
}
