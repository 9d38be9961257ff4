// libcrypto, for the verification that Signet's is compared with.
#ifndef SIGNET_CBENCHCRYPTO_SHIM_H
#define SIGNET_CBENCHCRYPTO_SHIM_H

#include <openssl/evp.h>
#include <openssl/x509.h>

#endif
