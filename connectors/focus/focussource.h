// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/ports/costsource.h"
#include "connectors/focus/folderscan.h"

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace gpuledger::focus {

// Bills in FOCUS 1.0, 1.1 or 1.2: one CSV file, or all files in a folder and its subfolders, plain or compressed with
// gzip or Zstandard. Imported files are remembered by name, size and time for the lifetime of the object, and
// permanently by hash in the sink. Owned by the caller; one call at a time.
class FocusSource final : public ports::CostSource {
public:
    // A file written within the quiet time counts as complete if two checks this far apart find it unchanged.
    static constexpr std::chrono::milliseconds kSecondLook{1000};

    // The clock must outlive the source and must be the real one, because it is compared with file times.
    FocusSource(std::string name, std::filesystem::path path, const base::Clock &clock,
                std::chrono::milliseconds secondLook = kSecondLook);

    const std::string &name() const override { return m_name; }
    [[nodiscard]] base::Result<std::vector<ports::BillDelivery>> deliveries(std::stop_token stop) override;
    std::vector<ports::WaitingBill> waiting() const override { return m_waiting; }
    [[nodiscard]] base::Result<ports::ProbeReport> probe(std::stop_token stop) override;
    [[nodiscard]] base::Result<ports::ImportReport> import(const ports::BillDelivery &delivery, ports::BillSink &sink,
                                                           std::stop_token stop) override;

private:
    [[nodiscard]] base::Result<std::vector<FoundDelivery>> found(const std::stop_token &stop) const;
    // True if the file is not being written: unchanged since the last check, or for a while.
    bool settled(const FoundFile &file) const;
    bool settled(const FoundDelivery &delivery) const;
    // Checks again after a pause if a file may still be being written.
    [[nodiscard]] base::Result<std::vector<FoundDelivery>> lookTwice(const std::stop_token &stop);
    void remember(const std::vector<FoundDelivery> &all);
    bool imported(const FoundDelivery &delivery) const;

    std::string m_name;
    std::filesystem::path m_path;
    const base::Clock &m_clock;
    const std::chrono::milliseconds m_secondLook;
    std::vector<ports::WaitingBill> m_waiting;
    std::map<std::filesystem::path, FileStamp> m_seen; // at the last check
    // The stamps of each imported delivery, keyed by its files.
    std::map<std::vector<std::filesystem::path>, std::vector<FileStamp>> m_imported;
};

} // namespace gpuledger::focus
