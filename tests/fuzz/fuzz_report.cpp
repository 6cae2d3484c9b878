// SPDX-License-Identifier: GPL-3.0-or-later
// Report files: as they are, and with a valid signature, which a stranger can make too.
#include "app/reports/files/reportfile.h"
#include "tests/fuzz/fuzz.h"

#include "app/base/crypto/sha256.h"

#include <algorithm>

namespace gpuledger::fuzz {

namespace {

constexpr std::size_t kKeyAt = 16;

const base::SigningKey &key()
{
    static const base::SigningKey made = *base::SigningKey::fromHex(base::Secret(std::string(64, '7')));
    return made;
}

// The same file, signed with a key of ours.
std::string signedAnew(std::string_view bytes)
{
    std::string file(bytes.substr(0, bytes.size() - base::kSignatureBytes));
    std::copy(key().publicKey().begin(), key().publicKey().end(), file.begin() + kKeyAt);
    base::Sha256 all;
    all.add(file);
    const auto signature = key().sign("gpuledger report 1\n" + all.hex());
    check(signature.has_value(), "a file can be signed");
    return file.append(signature->data(), signature->size());
}

void read(std::string_view bytes)
{
    const std::filesystem::path file = fileOf("fuzzed.gpureport", bytes), cache = scratch() / "cache";
    const auto header = reports::checkReportFile(file);
    const auto report = reports::unpackReportFile(file, cache);
    if (!report) {
        check(!std::filesystem::exists(cache), "a refused file is not unpacked");
        return;
    }
    check(header.has_value(), "a file that can be unpacked passes the check");
    check(report->settings.size() == report->header.settingsBytes && report->settings.size() <= 1u << 20
              && report->statement.size() == report->header.statementBytes
              && std::filesystem::file_size(cache) == report->header.cacheBytes,
          "the parts are as long as the header says");
    std::filesystem::remove(cache);
}

} // namespace

void fuzz(std::string_view bytes)
{
    read(bytes);
    if (bytes.size() >= kKeyAt + base::kPublicKeyBytes + base::kSignatureBytes)
        read(signedAnew(bytes));
}

} // namespace gpuledger::fuzz
