// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/crypto/signature.h"
#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/insight/spend/reconcile.h"

#include <cstdint>
#include <filesystem>
#include <string>

// A month as one signed, compressed file (.gpureport):
//
//   magic (8 bytes), version (u32), length of the header (u32), public key (32 bytes), header (JSON),
//   payload (one zstd frame: settings, statement, cache), signature (Ed25519, 64 bytes)
//
// Numbers are little endian. The signature covers the SHA-256 of everything before it, so a reader parses and unpacks
// nothing that was not verified. Any thread; one call per file.
namespace gpuledger::reports {

inline constexpr char kReportSuffix[] = "gpureport";
inline constexpr std::uint32_t kReportVersion = 1;

// The readable header of a report file.
struct ReportHeader {
    insight::Month month;
    base::UtcTime made{};
    std::string program; // version of the program that wrote it
    std::string actor; // who made it; empty: unknown
    std::string state; // of the month: "draft", "reviewed", "closed"
    base::PublicKey signer{}; // set by the writer
    std::uint64_t bytes = 0; // of the file; set by the reader
    // Unpacked; set by the writer:
    std::uint64_t settingsBytes = 0, statementBytes = 0, cacheBytes = 0;

    std::string fingerprint() const { return base::fingerprintOf(signer); }
};

// The payload of a report file to write.
struct ReportParts {
    std::string settings; // as a configuration file
    std::string statement; // see reports::toText(KeptMonth)
    std::filesystem::path cache; // a file
};

// Replaces `file`, completely or not at all. Fails with StorageFull, StorageReadOnly and other Storage… codes.
[[nodiscard]] base::Result<void> writeReportFile(const std::filesystem::path &file, ReportHeader header,
                                                 const ReportParts &parts, const base::SigningKey &key);

// Reads and verifies every byte of the file. Fails with NotFound, StorageNewer (another version), StorageCorrupt (not a
// report, damaged, modified, truncated, or above a limit) or Storage.
[[nodiscard]] base::Result<ReportHeader> checkReportFile(const std::filesystem::path &file);

// A verified report; its cache is in a file of its own.
struct UnpackedReport {
    ReportHeader header;
    std::string settings, statement;
};
// The same, then unpacks the cache into the new file `cache`. Returns nothing of the unpacked data if the file changes
// meanwhile. Also fails with StorageFull and StorageReadOnly.
[[nodiscard]] base::Result<UnpackedReport> unpackReportFile(const std::filesystem::path &file,
                                                            const std::filesystem::path &cache);

} // namespace gpuledger::reports
