// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/auth/signedjwt.h"

#include <nlohmann/json.hpp>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

namespace gpuledger::auth {

using base::ErrorCode;
using base::Result;

namespace {

struct FreeKey {
    void operator()(EVP_PKEY *key) const { EVP_PKEY_free(key); }
    void operator()(EVP_MD_CTX *context) const { EVP_MD_CTX_free(context); }
    void operator()(BIO *bio) const { BIO_free(bio); }
};

const unsigned char *bytesOf(std::string_view text)
{
    return reinterpret_cast<const unsigned char *>(text.data());
}

// A key that is encrypted is refused: without this OpenSSL would ask on the terminal.
int noPassword(char *, int, int, void *)
{
    return -1;
}

std::string base64Url(std::string_view text)
{
    std::vector<unsigned char> out(4 * (text.size() / 3 + 1) + 1);
    const int size = EVP_EncodeBlock(out.data(), bytesOf(text), static_cast<int>(text.size()));
    std::string encoded(out.begin(), out.begin() + size);
    std::replace(encoded.begin(), encoded.end(), '+', '-');
    std::replace(encoded.begin(), encoded.end(), '/', '_');
    while (encoded.ends_with('='))
        encoded.pop_back();
    return encoded;
}

} // namespace

Result<std::string> signedJwt(const std::string &claims, const std::string &keyId, const base::Secret &privateKey)
{
    nlohmann::json header{{"alg", "RS256"}, {"typ", "JWT"}};
    if (!keyId.empty())
        header["kid"] = keyId;
    const std::string text =
        base64Url(header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)) + '.' + base64Url(claims);
    const std::string_view pem = privateKey.reveal();
    const std::unique_ptr<BIO, FreeKey> bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
    const std::unique_ptr<EVP_PKEY, FreeKey> rsa(bio ? PEM_read_bio_PrivateKey(bio.get(), nullptr, noPassword, nullptr)
                                                     : nullptr);
    if (!rsa || EVP_PKEY_get_base_id(rsa.get()) != EVP_PKEY_RSA)
        return base::fail(ErrorCode::InvalidConfig, "the private key of the key file can't be read");
    const std::unique_ptr<EVP_MD_CTX, FreeKey> context(EVP_MD_CTX_new());
    std::size_t size = static_cast<std::size_t>(EVP_PKEY_get_size(rsa.get()));
    std::string signature(size, '\0');
    if (!context || EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, rsa.get()) != 1
        || EVP_DigestSign(context.get(), reinterpret_cast<unsigned char *>(signature.data()), &size, bytesOf(text),
                          text.size())
            != 1)
        return base::fail(ErrorCode::Internal, "OpenSSL failed: signing");
    signature.resize(size);
    return text + '.' + base64Url(signature);
}

} // namespace gpuledger::auth
