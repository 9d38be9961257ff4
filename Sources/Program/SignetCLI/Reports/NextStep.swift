internal import SignetBase

/// What somebody can do next after an error.
///
/// An error that knows the situation has a hint of its own, or its cause has one. For all others there is one step for
/// each kind of error: it says whose turn it is, and what they do. No step leads around a failed verification.
enum NextStep {
  /// The step after an error: its own hint, else that of its cause, else the one for all errors of its kind; nil if
  /// nothing is known.
  static func after(_ error: SignetError) -> String? { own(error) ?? of(error.code) }

  private static func own(_ error: SignetError) -> String? {
    error.hint ?? (error.cause as? SignetError).flatMap(own)
  }

  /// The step after any error with this code, or of this code's family; nil if there is none.
  static func of(_ code: SignetError.Code) -> String? {
    steps[code.rawValue] ?? steps[String(code.rawValue.prefix { $0 != "." })]
  }

  private static let again = "try again; if it fails once more, send this message to the authors of Signet"
  private static let disk = "look at the path, its permissions and the space on the disk, then try again"
  private static let publisher = "get the file from its publisher again; if it is yours, sign it again"
  private static let newer = "use a newer version of this program: what it reads was made for one"
  private static let server = "try again later; if it stays so, ask the server's administrator"
  private static let edit = "change this value to what is expected"

  /// Steps by code, or by the part of a code before the dot.
  static let steps: [String: String] = [
    "archive": "make the archive again without this; if it is not yours, ask its publisher to",
    "authority": "change what is certified, or the options",
    "base64": "copy the text again, from its first character to its last",
    "bundle": publisher,
    "bundle.count": "get a file with fewer bundles from its publisher; if it is yours, sign into a bundle of its own",
    "bundle.media-type": newer,
    "certificate": "ask the authority that issued the certificate for one without this fault",
    "chain": "ask the publisher to sign with a certificate that has no such fault; its authority can issue it",
    "chain.expired": "compare the clock of this machine with the time above; if it is right, ask the publisher",
    "chain.not-yet-valid": "compare the clock of this machine with the time above; if it is right, ask the publisher",
    "clock": "set the clock of this machine",
    "cms": "ask whoever made the signature for one without this fault",
    "continuity": "ask the publisher, over another way than the release came, what has changed",
    "crl.incomplete": "get the authority's lists, or its responder's answer: signet trust staple POLICY FILE",
    "crl": "get the list from the authority that issues it, and add it to the policy again",
    "crypto": again,
    "digest": publisher,
    "directory": "get the directory from its publisher again; if it is yours and the change is meant, sign it again",
    "elf": "build the library again without this; if it is not yours, ask the module's author to",
    "envelope": publisher,
    "extraction": disk,
    "fetch": server,
    "fetch.cancelled": "run the command again",
    "fetch.unavailable": "check that libcurl 8 is installed, and that the system can start threads",
    "fetch.url": edit,
    "file": disk,
    "file.changed": "wait until nothing else writes the file, then try again",
    "file.is-directory": "name a file",
    "file.missing": "check the path, and the folder that you are in",
    "file.not-directory": "name a directory",
    "file.not-regular": "name a file that holds its own bytes",
    "file.read-failed": disk,
    "file.too-large": "check that this is the file you mean; if it is, make it smaller",
    "gate": edit,
    "gate.crowded": "divide the artifact, or make its text shorter where the finding lies",
    "gate.report-name": "rename the file: its name has a line feed or a backslash",
    "git": "check the repository with: git fsck",
    "host": "change what the host declares, and register it again",
    "install": "change what the Modfile asks for, then: signet install",
    "json": edit,
    "key": "give a key of a form that is read; signet keygen makes one",
    "key.passphrase-required": "give the passphrase with --passphrase-file, or answer in a terminal",
    "keyless.root": "get the trusted root again from who runs that instance of Sigstore",
    "keyless": "get the file and its bundle from the publisher again, and ask who signs by which identity",
    "lineage": "get the lineage from the publisher again, and ask which key is right",
    "loader.open-failed": "look at the cause; if the library is not the module's, ask the module's author",
    "loader": "ask the module's author for a build for this host",
    "log": "get the file and its bundle from the publisher again; if it stays so, tell whoever runs the log",
    "lockfile": "take Modfile.lock from the last commit, then: signet install",
    "manifest.malformed": "use a newer version of the host, or change its manifest where it is named",
    "manifest": "change the host's manifest where it is named",
    "modfile": "change the Modfile where it is named",
    "model": "get the model and its signature from the publisher again, and ask with which program it was signed",
    "module":
      "change module.json or what it names, then pack the module again; if it is not yours, ask its publisher to",
    "oci": "check the address; if it is right, ask who pushed the module, or the registry's administrator",
    "oci.layout": "check the path of the image layout",
    "ocsp": "get the responder's newest answer: signet trust staple POLICY FILE",
    "output": disk,
    "output.exists": "give another path",
    "package": "change the package where it is named, then try again",
    "packing": "change the source folder where it is named, then pack it again",
    "packing.time": "give a time such as 2030-01-31T00:00:00Z",
    "passphrase": "write the passphrase as one line into the file, without other lines",
    "path": "rename the file, and make the archive or directory again; if it is not yours, ask its publisher to",
    "pattern": edit,
    "policy": "change the policy where it is named; signet trust check examines it",
    "policy.version": newer,
    "question": "answer in a terminal, or give the option that answers",
    "repo": "change the registry where it is named; signet repo verify examines it",
    "repo.out-of-scope": "push as a publisher who may offer it; the registry's owner decides who may offer what",
    "repo.unverified": "get the module from its publisher again; if it is yours, sign it with the publisher's key",
    "repo.not-confirmed": "compare what you were shown, then sign again and confirm",
    "resolve": "change what the Modfile asks for, then: signet install",
    "resolve.offers": "tell the owner of the source",
    "sign": edit,
    "signature": publisher,
    "signature.missing": "get the bundle from the publisher; if the file is yours, sign it",
    "signature.unreadable": disk,
    "signer": "ask the publisher which key signs, by another way than the one the file came",
    "signer.outside-window":
      "compare the clock of this machine with the times above; if it is right, ask the policy's owner",
    "signing": "change what is signed, or the options",
    "signing.other-statement": "sign with the options of the signature that is there, or sign into a new bundle",
    "source": "change the source folder where it is named",
    "spec": "change the spec where it is named; signet spec lint examines it",
    "spec-repo": "change the repository of specs where it is named",
    "statement": publisher,
    "statement.predicate-type":
      "use a newer version of this program; if there is none, ask the publisher what the statement is",
    "store.state-malformed": "take the store's state from a backup, or install into a new store",
    "store": "examine the store with: signet store list",
    "store.not-installed": "look at what is installed with: signet store list",
    "subject": "get the file from its publisher again, under the name that it was signed for",
    "template": again,
    "timestamp": "ask the publisher to sign again, with a timestamp by an authority that you trust",
    "tuf": "try again later; if it stays so, tell the registry's owner",
    "tuf.no-root": "get the metadata first: signet tuf refresh --metadata-dir DIR --metadata-url URL",
    "tuf.spec-version": newer,
    "tuf.version-used": "compare the two files of that version; if you sign for the registry, sign a higher version",
    "tuf.not-found": "check the name; if it is right, ask the registry's owner",
    "tuf.role-name": edit,
    "tuf.target-name": edit,
    "tuf.unreachable": "give the registry's address again",
    "verification": "verify again, with all of it",
  ]
}
