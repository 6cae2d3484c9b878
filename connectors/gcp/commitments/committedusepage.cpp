// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/commitments/committedusepage.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/format/json.h"
#include "connectors/gcp/commitments/committeduse.h"
#include "connectors/gcp/compute/instancepage.h"

#include <algorithm>
#include <iterator>

namespace gpuledger::gcp {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kLongestRegion = 100; // bytes
constexpr std::size_t kShownRegions = 10;

// Without a list, any warning but that there is nothing in it stands for what is missing.
bool isSilent(const Json &region)
{
    const std::string code = format::textOf(format::memberOf(region, "warning"), "code");
    const bool isListed = format::memberOf(region, "commitments").is_array();
    return code == "UNREACHABLE" || (!isListed && !code.empty() && code != "NO_RESULTS_ON_PAGE");
}

} // namespace

void CommittedUsePages::addCommitment(const Json &commitment, const std::string &region)
{
    const auto isOne = isCommittedUse(commitment);
    if (isOne && !*isOne)
        return;
    auto read = isOne ? committedUseOf(commitment, m_project, region) : std::nullopt;
    if (!read)
        ++m_rejected;
    else if ((!read->end || *read->end > m_now) && m_ids.insert(read->id).second)
        m_commitments.push_back(std::move(*read));
}

Result<void> CommittedUsePages::addRegion(const std::string &key, const Json &region)
{
    const Json &commitments = format::memberOf(region, "commitments");
    if (!region.is_object() || (!commitments.is_null() && !commitments.is_array()))
        return base::fail(ErrorCode::Parse, "Compute Engine's answer has a region without a list of commitments",
                          base::Remedy::NextSyncTriesAgain);
    const std::string name = lastOf(key);
    for (std::size_t i = 0; i < commitments.size(); ++i)
        addCommitment(commitments[i], name);
    if (m_commitments.size() > kMostCommitments)
        return base::fail(ErrorCode::TooMuch,
                          "the project " + m_project + " has more than " + std::to_string(kMostCommitments)
                              + " commitments");
    if (isSilent(region))
        m_silent.insert(base::printableLine(name, kLongestRegion));
    return {};
}

void CommittedUsePages::addSilent(const Json &page)
{
    const Json &silent = format::memberOf(page, "unreachables");
    const bool isNamed = silent.is_array() && !silent.empty();
    m_isPartial =
        m_isPartial || (!isNamed && format::textOf(format::memberOf(page, "warning"), "code") == "UNREACHABLE");
    for (std::size_t i = 0; isNamed && i < silent.size(); ++i) {
        const std::string name =
            silent[i].is_string() ? base::printableLine(lastOf(silent[i].get<std::string>()), kLongestRegion) : "";
        if (name.empty())
            m_isPartial = true;
        else
            m_silent.insert(name);
    }
}

Result<std::string> CommittedUsePages::add(const Json &page)
{
    const Json &items = format::memberOf(page, "items"), &next = format::memberOf(page, "nextPageToken");
    if (!items.is_null() && !items.is_object())
        return base::fail(ErrorCode::Parse, "Compute Engine's answer has no lists of commitments by region",
                          base::Remedy::NextSyncTriesAgain);
    if (!next.is_null() && !next.is_string())
        return base::fail(ErrorCode::Parse,
                          "a page of Compute Engine's commitments has a next one that can't be asked for",
                          base::Remedy::NextSyncTriesAgain);
    for (const auto &region : items.items())
        GPULEDGER_TRY(addRegion(region.key(), region.value()));
    addSilent(page);
    return format::textOf(page, "nextPageToken");
}

std::string CommittedUsePages::silence() const
{
    std::string out = "some regions of the project " + m_project + " did not answer";
    std::size_t shown = 0;
    for (const std::string &region : m_silent) {
        if (++shown > kShownRegions)
            break;
        out += (shown == 1 ? ": " : ", ") + region;
    }
    if (shown > kShownRegions)
        out += " and " + std::to_string(m_silent.size() - kShownRegions) + " more";
    return out;
}

void CommittedUsePages::finish(ports::CommitmentReport &out) &&
{
    std::move(m_commitments.begin(), m_commitments.end(), std::back_inserter(out.commitments));
    out.rejected += m_rejected;
    if (m_isPartial || !m_silent.empty())
        out.withheld.push_back(silence());
}

} // namespace gpuledger::gcp
