// A host's types use those of modules, and a host needs both.
@_exported public import SmallFace
