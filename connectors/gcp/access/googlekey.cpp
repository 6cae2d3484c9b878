// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/access/googlekey.h"

#include "app/base/remedy.h"
#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "connectors/format/json.h"
#include "connectors/http/url.h"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

namespace gpuledger::gcp {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr const char *kGoogleTokens = "https://oauth2.googleapis.com/token";
constexpr std::int64_t kAssertionSeconds = 3600; // the longest that Google accepts

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

bool isVisible(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

auto wrongKey(const std::string &what)
{
    return base::fail(ErrorCode::InvalidConfig, "what auth.token refers to " + what, base::Remedy::UseGoogleCredential);
}

// A file that was tampered with must not have the credential sent elsewhere.
bool mayGiveTokens(const std::string &address, const std::string &api)
{
    const auto url = http::parseUrl(address), own = http::parseUrl(api);
    if (!url || address.find_first_of("?#") != std::string::npos)
        return false;
    const bool isGoogle = url->scheme == "https" && url->port == "443"
        && (url->host == "accounts.google.com" || url->host.ends_with(".googleapis.com"));
    return isGoogle || (own && http::sameOrigin(*url, *own));
}

Result<base::Secret> secretIn(const Json &file, const char *name)
{
    std::string text = format::textOf(file, name);
    if (text.empty())
        return wrongKey("is a file without " + std::string(name));
    base::log::redactValue(text);
    return base::Secret(std::move(text));
}

} // namespace

Result<GoogleKey> readGoogleKey(const base::Secret &text, const std::string &api)
{
    GoogleKey key;
    const std::string_view all = text.reveal();
    const std::size_t first = all.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || all[first] != '{') {
        if (!isVisible(all))
            return wrongKey("is neither a key file nor a token");
        key.secret = text.clone();
        return key;
    }
    const auto file = format::parseJson(all);
    if (!file || !file->is_object())
        return wrongKey("is a file that can't be read as JSON");
    const std::string type = format::textOf(*file, "type");
    if (type != "service_account" && type != "authorized_user")
        return base::fail(ErrorCode::Unsupported,
                          "credentials of the type \"" + base::printable(type, 64) + "\" can't be used here",
                          base::Remedy::UseGoogleCredential);
    const bool isUser = type == "authorized_user";
    key.kind = isUser ? GoogleKey::Kind::User : GoogleKey::Kind::ServiceAccount;
    key.tokenUri = format::textOf(*file, "token_uri");
    if (key.tokenUri.empty())
        key.tokenUri = kGoogleTokens;
    if (!mayGiveTokens(key.tokenUri, api))
        return base::fail(ErrorCode::InvalidConfig,
                          "the key file would send its credential to " + http::shownUrl(key.tokenUri)
                              + ", which is not Google",
                          base::Remedy::CreateGoogleKey);
    key.account = format::textOf(*file, isUser ? "client_id" : "client_email");
    if (!isVisible(key.account))
        return wrongKey("is a file that names no account");
    key.keyId = format::textOf(*file, "private_key_id");
    auto secret = secretIn(*file, isUser ? "client_secret" : "private_key");
    GPULEDGER_TRY(secret);
    key.secret = std::move(*secret);
    if (!isUser)
        return key;
    auto refresh = secretIn(*file, "refresh_token");
    GPULEDGER_TRY(refresh);
    key.refresh = std::move(*refresh);
    if (const std::string project = format::textOf(*file, "quota_project_id"); isVisible(project))
        key.quotaProject = project;
    return key;
}

Result<std::string> signedAssertion(const GoogleKey &key, const std::string &scope, base::UtcTime now)
{
    const std::int64_t begin = base::toUnix(now);
    Json header{{"alg", "RS256"}, {"typ", "JWT"}};
    if (!key.keyId.empty())
        header["kid"] = key.keyId;
    const Json claims{{"iss", key.account},  {"sub", key.account}, {"scope", scope},
                      {"aud", key.tokenUri}, {"iat", begin},       {"exp", begin + kAssertionSeconds}};
    const std::string text = base64Url(header.dump()) + '.' + base64Url(claims.dump());
    const std::string_view pem = key.secret.reveal();
    const std::unique_ptr<BIO, FreeKey> bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
    const std::unique_ptr<EVP_PKEY, FreeKey> rsa(bio ? PEM_read_bio_PrivateKey(bio.get(), nullptr, noPassword, nullptr)
                                                     : nullptr);
    if (!rsa || EVP_PKEY_get_base_id(rsa.get()) != EVP_PKEY_RSA)
        return base::fail(ErrorCode::InvalidConfig, "the private key of the key file can't be read",
                          base::Remedy::CreateGoogleKey);
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

} // namespace gpuledger::gcp
