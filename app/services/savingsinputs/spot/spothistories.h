// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/model/settings.h"
#include "app/savings/spot/spotoffer.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// Reads the interruption histories that the configuration names. Blocking; any thread.
namespace gpuledger::services {

// How much of a history counts, before its end: what is older says little about capacity now (SpotTuning::fade).
inline constexpr base::Seconds kSpotHistoryKept{90 * 86400};

struct SpotHistories {
    struct One {
        savings::SpotTrace trace; // in seconds since 1970
        std::string file; // its name, without folders
    };
    std::vector<One> traces;
    std::vector<savings::SpotUnread> unread; // files that were not used, in the order of the configuration
};

// What the files say of the time before `at`; their second 0 is `began`. A file that can't be read, is above 64 MiB or
// not in the form of savings::readSpotIntervals(), or says nothing of that time is in `unread`; it spoils no other.
SpotHistories readSpotHistories(const std::vector<model::SpotHistoryFile> &files, base::UtcTime at);

// Whether a zone is in a region, by the names that clouds give: "us-west-2a" in "us-west-2", "us-east1-b" in
// "us-east1", "eastus-1" in "eastus". Any case.
bool isZoneOf(std::string_view zone, std::string_view region);

// The interruptions of a market by the traces of its machine type in its region. std::nullopt: there are none, or they
// have fewer than five times with capacity in less than 14 days.
std::optional<savings::SpotInterruptions> historyOf(const SpotHistories &histories, std::string_view region,
                                                    std::string_view machine, base::UtcTime at);

// The machine types that have traces in a region, in lower case, without `machine`. Ascending.
std::set<std::string> othersWithHistory(const SpotHistories &histories, std::string_view region,
                                        std::string_view machine);

} // namespace gpuledger::services
