// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/ports/commitmentsource.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

// Pages of Compute Engine's list of commitments (compute/v1 regionCommitments.aggregatedList). No calls.
namespace gpuledger::gcp {

// What the pages of a project say together. Value type.
class CommittedUsePages {
public:
    static constexpr std::size_t kMostCommitments = 10'000;

    // A commitment that ended by `now` is left out, whatever its status says.
    CommittedUsePages(std::string project, base::UtcTime now)
        : m_project(std::move(project))
        , m_now(now)
    {
    }

    // Adds a page and returns the token of the next one; empty: this was the last one. Of a commitment that is listed
    // twice, the first one counts. Fails with Parse (no lists by region, or a token that is not a text) and TooMuch.
    [[nodiscard]] base::Result<std::string> add(const nlohmann::json &page);
    // Adds all commitments so far to a report, and a sentence on regions that did not answer.
    void finish(ports::CommitmentReport &out) &&;

private:
    base::Result<void> addRegion(const std::string &key, const nlohmann::json &region);
    void addCommitment(const nlohmann::json &commitment, const std::string &region);
    void addSilent(const nlohmann::json &page);
    std::string silence() const;

    std::string m_project;
    base::UtcTime m_now;
    std::vector<model::CloudCommitment> m_commitments;
    std::set<std::string> m_ids; // of those that were read
    std::set<std::string> m_silent; // regions that did not answer
    bool m_isPartial = false; // others did not answer, whose names are not known
    std::uint64_t m_rejected = 0;
};

} // namespace gpuledger::gcp
