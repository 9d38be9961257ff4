// The runtime's types use those of PACore, and a host needs both.
@_exported public import PACoreFace
