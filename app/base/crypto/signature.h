// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/crypto/secret.h"
#include "app/base/result.h"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

// Ed25519 (RFC 8032), using OpenSSL. Any thread.
namespace gpuledger::base {

inline constexpr std::size_t kPublicKeyBytes = 32, kPrivateKeyBytes = 32, kSignatureBytes = 64;
using PublicKey = std::array<char, kPublicKeyBytes>;
using Signature = std::array<char, kSignatureBytes>;

// A key pair that signs; the private key does not leave it except through hex().
class SigningKey {
public:
    // Creates a new one. Fails with Internal (no randomness).
    [[nodiscard]] static Result<SigningKey> make();
    // Restores one from the text returned by hex(). Fails with Parse.
    [[nodiscard]] static Result<SigningKey> fromHex(const Secret &hex);
    Secret hex() const; // of the private key: 64 digits

    const PublicKey &publicKey() const { return m_public; }
    // Fails with Internal.
    [[nodiscard]] Result<Signature> sign(std::string_view message) const;

private:
    explicit SigningKey(Secret seed)
        : m_private(std::move(seed))
    {
    }
    Secret m_private; // its bytes
    PublicKey m_public{};
};

bool isSignedBy(const PublicKey &key, std::string_view message, const Signature &signature);

// SHA-256 of the public key, 64 lower-case digits: what users compare.
std::string fingerprintOf(const PublicKey &key);

} // namespace gpuledger::base
