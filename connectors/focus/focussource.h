// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/clock.h"
#include "app/ports/costsource.h"
#include "connectors/focus/folderscan.h"

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace gpuledger::focus {

// Bills in FOCUS 1.0, 1.1 or 1.2: one CSV file, or every one in a folder and below, plain, gzip or Zstandard. What was
// imported is remembered by name, size and time as long as the object lives, and by hash in the sink for ever. Owner:
// the caller; one call at a time.
class FocusSource final : public ports::CostSource {
public:
    // A file that was written within the quiet time is taken for whole when two looks this far apart see the same.
    static constexpr std::chrono::milliseconds kSecondLook{1000};

    // The clock must outlive the source, and must be the real one: it is compared with the times of files.
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
    // Nobody writes it: it is as it was at the last look, or was left alone for a while.
    bool settled(const FoundFile &file) const;
    bool settled(const FoundDelivery &delivery) const;
    // Looks again after a pause where a file may still be being written.
    [[nodiscard]] base::Result<std::vector<FoundDelivery>> lookTwice(const std::stop_token &stop);
    void remember(const std::vector<FoundDelivery> &all);
    bool imported(const FoundDelivery &delivery) const;

    std::string m_name;
    std::filesystem::path m_path;
    const base::Clock &m_clock;
    const std::chrono::milliseconds m_secondLook;
    std::vector<ports::WaitingBill> m_waiting;
    std::map<std::filesystem::path, FileStamp> m_seen; // at the last look
    // The stamps of each delivery that was imported, by its files.
    std::map<std::vector<std::filesystem::path>, std::vector<FileStamp>> m_imported;
};

} // namespace gpuledger::focus
