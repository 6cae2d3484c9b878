// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/crypto/signature.h"

#include "app/base/crypto/sha256.h"

#include <openssl/evp.h>

#include <memory>
#include <utility>

namespace gpuledger::base {

namespace {

struct Free {
    void operator()(EVP_PKEY *key) const { EVP_PKEY_free(key); }
    void operator()(EVP_MD_CTX *context) const { EVP_MD_CTX_free(context); }
};
using Key = std::unique_ptr<EVP_PKEY, Free>;
using Context = std::unique_ptr<EVP_MD_CTX, Free>;

constexpr std::string_view kDigits = "0123456789abcdef";

const unsigned char *bytesOf(std::string_view text)
{
    return reinterpret_cast<const unsigned char *>(text.data());
}

unsigned char *bytesOf(char *text)
{
    return reinterpret_cast<unsigned char *>(text);
}

Key privateKey(const Secret &seed)
{
    return Key(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, bytesOf(seed.reveal()), seed.reveal().size()));
}

bool readPublicKey(const EVP_PKEY *key, PublicKey &into)
{
    std::size_t size = into.size();
    return key && EVP_PKEY_get_raw_public_key(key, bytesOf(into.data()), &size) == 1 && size == into.size();
}

auto cryptoFailed(const char *doing)
{
    return fail(ErrorCode::Internal, std::string("OpenSSL failed: ") + doing);
}

} // namespace

Result<SigningKey> SigningKey::make()
{
    const Key key(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"));
    std::string seed(kPrivateKeyBytes, '\0');
    std::size_t size = seed.size();
    if (!key || EVP_PKEY_get_raw_private_key(key.get(), bytesOf(seed.data()), &size) != 1 || size != seed.size())
        return cryptoFailed("creating a key");
    SigningKey made{Secret(std::move(seed))};
    if (!readPublicKey(key.get(), made.m_public))
        return cryptoFailed("creating a key");
    return made;
}

Result<SigningKey> SigningKey::fromHex(const Secret &hex)
{
    std::string seed;
    const std::string_view digits = hex.reveal();
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
        const std::size_t high = kDigits.find(digits[i]), low = kDigits.find(digits[i + 1]);
        if (high == std::string_view::npos || low == std::string_view::npos)
            break;
        seed.push_back(static_cast<char>(high * 16 + low));
    }
    const bool fits = digits.size() == 2 * kPrivateKeyBytes && seed.size() == kPrivateKeyBytes;
    SigningKey read{Secret(std::move(seed))};
    if (!fits)
        return fail(ErrorCode::Parse, "a signing key has 64 hexadecimal digits");
    if (!readPublicKey(privateKey(read.m_private).get(), read.m_public))
        return cryptoFailed("reading a key");
    return read;
}

Secret SigningKey::hex() const
{
    std::string digits;
    digits.reserve(2 * kPrivateKeyBytes);
    for (const char c : m_private.reveal()) {
        const auto byte = static_cast<unsigned char>(c);
        digits.push_back(kDigits[byte >> 4]);
        digits.push_back(kDigits[byte & 15]);
    }
    return Secret(std::move(digits));
}

Result<Signature> SigningKey::sign(std::string_view message) const
{
    const Key key = privateKey(m_private);
    const Context context(EVP_MD_CTX_new());
    Signature signature{};
    std::size_t size = signature.size();
    if (!key || !context || EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.get()) != 1
        || EVP_DigestSign(context.get(), bytesOf(signature.data()), &size, bytesOf(message), message.size()) != 1
        || size != signature.size())
        return cryptoFailed("signing");
    return signature;
}

bool isSignedBy(const PublicKey &publicKey, std::string_view message, const Signature &signature)
{
    const Key key(EVP_PKEY_new_raw_public_key(
        EVP_PKEY_ED25519, nullptr, bytesOf(std::string_view(publicKey.data(), publicKey.size())), publicKey.size()));
    const Context context(EVP_MD_CTX_new());
    return key && context && EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1
        && EVP_DigestVerify(context.get(), bytesOf(std::string_view(signature.data(), signature.size())),
                            signature.size(), bytesOf(message), message.size())
        == 1;
}

std::string fingerprintOf(const PublicKey &key)
{
    return sha256Hex({key.data(), key.size()});
}

} // namespace gpuledger::base
