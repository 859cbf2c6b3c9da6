/* tls.c -- see tls.h: OpenSSL over two pieces of memory. */
#include "net/tls.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>

enum { HOST_BYTES = 256 };

/* See tls.h. */
struct TlsTrust {
    SSL_CTX *context;
};

/* See tls.h. */
struct Tls {
    SSL *ssl;
    BIO *in, *out; /* from the peer, for the peer */
    char host[HOST_BYTES];
};

TlsTrust *tls_trust_open(const char *cafile, MashText *problem) {
    TlsTrust *trust = calloc(1, sizeof *trust);
    SSL_CTX *context = trust == NULL ? NULL : SSL_CTX_new(TLS_client_method());
    if (context == NULL) {
        text_string(problem, "out of memory for encryption");
        free(trust);
        return NULL;
    }
    trust->context = context;
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    SSL_CTX_set_default_verify_paths(context); /* none there: then only the file counts */
    if (cafile == NULL || SSL_CTX_load_verify_locations(context, cafile, NULL) == 1) {
        ERR_clear_error();
        return trust;
    }
    ERR_clear_error();
    text_format(problem, "%s is no file of certificates (PEM)", cafile);
    tls_trust_close(trust);
    return NULL;
}

void tls_trust_close(TlsTrust *trust) {
    if (trust == NULL)
        return;
    SSL_CTX_free(trust->context);
    free(trust);
}

/* Demands a certificate for this host: an address, or a name, which is sent to the peer as well
 * (SNI). */
static bool demand_host(SSL *ssl, const char *host) {
    if (X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host) == 1)
        return true;
    ERR_clear_error();
    SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    return SSL_set1_host(ssl, host) == 1 && SSL_set_tlsext_host_name(ssl, host) == 1;
}

Tls *tls_open(TlsTrust *trust, const char *host) {
    Tls *tls = calloc(1, sizeof *tls);
    if (tls == NULL)
        return NULL;
    tls->ssl = SSL_new(trust->context);
    tls->in = BIO_new(BIO_s_mem());
    tls->out = BIO_new(BIO_s_mem());
    if (tls->ssl == NULL || tls->in == NULL || tls->out == NULL || strlen(host) >= HOST_BYTES ||
        !demand_host(tls->ssl, host)) {
        BIO_free(tls->in);
        BIO_free(tls->out);
        SSL_free(tls->ssl);
        free(tls);
        return NULL;
    }
    memcpy(tls->host, host, strlen(host) + 1);
    SSL_set_bio(tls->ssl, tls->in, tls->out);
    SSL_set_connect_state(tls->ssl);
    return tls;
}

void tls_close(Tls *tls) {
    if (tls == NULL)
        return;
    SSL_free(tls->ssl); /* with both pieces of memory */
    free(tls);
}

/* What is wrong with the peer's certificate. */
static void explain(const Tls *tls, MashText *why) {
    long result = SSL_get_verify_result(tls->ssl);
    text_string(why, "the server's certificate is not accepted: ");
    switch (result) {
    case X509_V_ERR_CERT_HAS_EXPIRED:
        text_string(why, "it has expired");
        break;
    case X509_V_ERR_CERT_NOT_YET_VALID:
        text_string(why, "it is not valid yet");
        break;
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
        text_format(why, "it is for another name than %s", tls->host);
        break;
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
        text_string(why, "it is self-signed; --cafile FILE trusts the one in FILE");
        break;
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
        text_string(why, "nobody whom this machine trusts has signed it; --cafile FILE adds some");
        break;
    default:
        text_string(why, X509_verify_cert_error_string(result));
    }
}

bool tls_receive(Tls *tls, const char *bytes, uint32_t count) {
    return BIO_write(tls->in, bytes, (int)count) == (int)count;
}

TlsState tls_handshake(Tls *tls, MashText *why) {
    ERR_clear_error();
    int done = SSL_do_handshake(tls->ssl);
    if (done == 1)
        return TLS_READY;
    if (SSL_get_error(tls->ssl, done) == SSL_ERROR_WANT_READ)
        return TLS_MORE;
    if (SSL_get_verify_result(tls->ssl) != X509_V_OK)
        explain(tls, why);
    else
        text_string(why, "the server does not speak TLS here, or no version that we do");
    ERR_clear_error();
    return TLS_FAILED;
}

int32_t tls_read(Tls *tls, char *out, uint32_t max) {
    ERR_clear_error();
    int count = SSL_read(tls->ssl, out, (int)max);
    if (count > 0)
        return count;
    int error = SSL_get_error(tls->ssl, count);
    ERR_clear_error();
    return error == SSL_ERROR_WANT_READ ? 0 : -1;
}

bool tls_write(Tls *tls, const void *bytes, uint32_t count) {
    ERR_clear_error();
    return count == 0 || SSL_write(tls->ssl, bytes, (int)count) == (int)count;
}

uint32_t tls_take(Tls *tls, char *out, uint32_t max) {
    int count = BIO_read(tls->out, out, (int)max);
    return count > 0 ? (uint32_t)count : 0;
}

uint32_t tls_waiting(const Tls *tls) { return (uint32_t)BIO_ctrl_pending(tls->out); }
