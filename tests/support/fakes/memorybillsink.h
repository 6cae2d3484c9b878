// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/costsource.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gpuledger::tests {

// Keeps bills in memory like a store: committed lines stay until their key is replaced.
class MemoryBillSink final : public ports::BillSink {
public:
    using Bills = std::map<model::BillKey, std::vector<model::BillLine>>;

    Bills bills;
    std::set<std::vector<std::string>> imported;
    bool keepLines = true; // false: only counts
    std::function<base::Result<void>()> onAccept, onCommit; // override the result of the call
    int begun = 0, committed = 0, discarded = 0;
    std::uint64_t lines = 0;
    std::size_t mostWaiting = 0; // maximum number of lines between two progress reports
    ports::BillProgress last;
    std::map<std::string, std::string> memory; // of keep()
    bool forgets = false; // keep() fails
    std::uint64_t paid = 0; // requests

    base::Result<bool> knows(const std::vector<std::string> &sha256) override { return imported.contains(sha256); }
    base::Result<void> begin(const std::vector<ports::BillFile> &) override
    {
        ++begun;
        m_staged.clear();
        return {};
    }
    base::Result<void> accept(ports::BillBatch batch) override
    {
        lines += batch.lines.size();
        m_waiting += batch.lines.size();
        auto &to = m_staged[batch.key];
        if (keepLines)
            to.insert(to.end(), std::make_move_iterator(batch.lines.begin()),
                      std::make_move_iterator(batch.lines.end()));
        return onAccept ? onAccept() : base::Result<void>();
    }
    base::Result<void> commit(const ports::ImportReport &report) override
    {
        if (onCommit) {
            if (auto failed = onCommit(); !failed)
                return failed;
        }
        for (const ports::BillPart &part : report.parts)
            bills[part.key] = std::move(m_staged[part.key]);
        std::vector<std::string> hashes;
        for (const ports::BillFile &file : report.files)
            hashes.push_back(file.sha256);
        std::sort(hashes.begin(), hashes.end());
        imported.insert(std::move(hashes));
        ++committed;
        m_staged.clear();
        return {};
    }
    void discard() override
    {
        ++discarded;
        m_staged.clear();
    }
    void progress(const ports::BillProgress &progress) override
    {
        last = progress;
        mostWaiting = std::max(mostWaiting, m_waiting);
        m_waiting = 0;
    }

    base::Result<std::string> kept(const std::string &name) override { return memory[name]; }
    base::Result<void> keep(const std::string &name, const std::string &value) override
    {
        if (forgets)
            return base::fail(base::ErrorCode::StorageFull, "no space left");
        memory[name] = value;
        return {};
    }
    base::Result<void> spent(const ports::PaidCalls &calls, base::UtcTime) override
    {
        paid += calls.requests;
        return {};
    }

private:
    Bills m_staged;
    std::size_t m_waiting = 0;
};

} // namespace gpuledger::tests
