// What a page's controller takes and gives is Small's.
@_exported public import SmallRuntimeFace
