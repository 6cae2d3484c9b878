// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/money/placementrating.h"
#include "connectors/aws/awswire.h"

#include <map>
#include <string>
#include <vector>

// How likely a request for spot machines is granted in each zone of a region, as EC2 scores it. No calls; values.
namespace gpuledger::aws {

// Asks for the scores of the zones of `region`; an empty token asks for the first page.
Call placementCall(const model::PlacementQuestion &asked, const std::string &region, const std::string &token);
// Asks whether that is allowed: a dry run, which has no scores and is always answered with an error.
Call placementRightCall(const model::PlacementQuestion &asked, const std::string &region);

// Collects the pages of answers, in any order. One thread.
class PlacementScores {
public:
    explicit PlacementScores(std::string region)
        : m_region(std::move(region))
    {
    }

    // Returns the token of the next page; empty: this was the last one. Fails with Parse (also if there are
    // too many zones). Items of other regions are dropped, and so are those without a zone or with a score that is
    // none.
    [[nodiscard]] base::Result<std::string> add(const std::string &page);
    // By zone. Of several scores the lowest.
    const std::map<std::string, int> &zones() const { return m_zones; }

private:
    std::string m_region;
    std::map<std::string, int> m_zones;
};

// The types of the question that an answer refuses because EC2 does not have them in the region; empty: it was not
// that.
std::vector<std::string> typesRefused(const Answer &answer, const model::PlacementQuestion &asked);
// The failure of such a call, of an answer with a fault: TooMuch (no more different questions today), Unsupported (EC2
// does not have these types, or no scores at all, in the region), else as errorOf().
base::Error placementError(const Answer &answer, const model::PlacementQuestion &asked, const std::string &region);

} // namespace gpuledger::aws
