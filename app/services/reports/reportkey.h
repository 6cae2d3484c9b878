// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/crypto/signature.h"
#include "app/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

// The signing key for reports, and the signers that the user trusts: two files in the data folder, never in the cache.
// Any thread.
namespace gpuledger::services {

// The key of this data folder ("report-signing.key", mode 0600); created if there is none. Fails with Refused (others
// may read it, or it is not a file of ours), StorageCorrupt (it is damaged), StorageFull or StorageReadOnly.
[[nodiscard]] base::Result<base::SigningKey> signingKey(const std::filesystem::path &dataFolder);

// How far the user trusts the signer of a report.
enum class Signer {
    Own, // this data folder's key
    Known, // the user trusted it once
    Unknown,
};
// Classifies the signer of a report by its fingerprint.
Signer signerOf(const std::string &fingerprint, const std::filesystem::path &dataFolder);
// Remembers a signer ("known-signers", one fingerprint per line). Fails with StorageFull or StorageReadOnly.
[[nodiscard]] base::Result<void> trustSigner(const std::string &fingerprint, const std::filesystem::path &dataFolder);

} // namespace gpuledger::services
