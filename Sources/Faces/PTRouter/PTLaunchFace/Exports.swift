// A host needs both, and so does everything that a launch file leads to.
@_exported public import PTRouterFace
