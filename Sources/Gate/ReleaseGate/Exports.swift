// What a gate is asked about: files, their signatures, and the patterns that leave files out.
@_exported public import ReleaseContents
