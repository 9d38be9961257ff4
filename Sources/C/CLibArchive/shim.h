// libarchive, 3.6 or later, as Swift sees it: types and numbers. Its functions are found at run time.
#ifndef SIGNET_CLIBARCHIVE_SHIM_H
#define SIGNET_CLIBARCHIVE_SHIM_H

#include <archive.h>
#include <archive_entry.h>

#if ARCHIVE_VERSION_NUMBER < 3006000
#error "Signet needs libarchive 3.6 or later"
#endif

#endif
