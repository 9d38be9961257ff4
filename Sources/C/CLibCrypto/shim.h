// OpenSSL's libcrypto, 3.0 or later, as Swift sees it.
#ifndef SIGNET_CLIBCRYPTO_SHIM_H
#define SIGNET_CLIBCRYPTO_SHIM_H

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ecerr.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>

#if OPENSSL_VERSION_NUMBER < 0x30000000L
#error "Signet needs OpenSSL 3.0 or later"
#endif

// Swift cannot see macros that are more than a literal.
enum { signet_public_key = EVP_PKEY_PUBLIC_KEY };
enum { signet_reason_out_of_memory = ERR_R_MALLOC_FAILURE };

// Swift cannot call variadic C functions.
static inline EVP_PKEY *signet_keygen_rsa(OSSL_LIB_CTX *context, size_t bits) {
  return EVP_PKEY_Q_keygen(context, NULL, "RSA", bits);
}

static inline EVP_PKEY *signet_keygen_ec(OSSL_LIB_CTX *context, const char *curve) {
  return EVP_PKEY_Q_keygen(context, NULL, "EC", curve);
}

static inline EVP_PKEY *signet_keygen_ed25519(OSSL_LIB_CTX *context) {
  return EVP_PKEY_Q_keygen(context, NULL, "ED25519");
}

#endif
