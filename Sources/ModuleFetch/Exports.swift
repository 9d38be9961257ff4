// What a host says of a download belongs to the store, where it is kept: `import ModuleFetch` is enough to use it.
@_exported public import struct ModuleStore.ArchiveFetcher
@_exported public import struct ModuleStore.DownloadItem
