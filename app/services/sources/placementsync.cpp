// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/sources/placementsync.h"

#include "app/base/text/text.h"
#include "app/services/engine/engine.h"
#include "app/services/prices/placementmemory.h"
#include "app/services/prices/placementquestions.h"
#include "app/services/sources/accesserror.h"
#include "app/services/sources/lately.h"
#include "app/services/sources/syncreport.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace gpuledger::services {

using base::ErrorCode;
using base::Result;
using model::PlacementQuestion;
using model::PlacementRating;

namespace {

constexpr std::size_t kLongestPlacementReason = 400, kLongestZoneName = 64;

bool isPlacementDue(const KeptPlacement &kept, base::Seconds pause, base::UtcTime now)
{
    return !wasWithin(kept.readAt, pause, now) && !wasWithin(kept.fullAt, base::kDay, now);
}

// The reader is gone before a server is asked.
Result<std::vector<PlacementQuestion>> questionsNow(const Engine &engine, const std::string &cloud,
                                                    const std::string &region,
                                                    const std::map<std::string, ports::KnownMachine> &machines)
{
    const base::UtcTime now = engine.clock().now();
    const auto facts = engine.cache().facts();
    GPULEDGER_TRY(facts);
    const auto nodes = (*facts)->nodesWithoutLabels();
    GPULEDGER_TRY(nodes);
    const auto spans = (*facts)->nodeSpans({now - kPlacementSeen, now});
    GPULEDGER_TRY(spans);
    return placementQuestions({*nodes, *spans}, cloud, region, machines);
}

// Without zones that have no name or no rating of the scale.
PlacementRating cleanRating(PlacementRating rating)
{
    std::erase_if(rating.zones, [](const auto &zone) {
        return zone.first.empty() || base::printable(zone.first, kLongestZoneName) != zone.first
            || zone.second < model::kWorstPlacement || zone.second > model::kBestPlacement;
    });
    return rating;
}

// Each of the types that were asked for then is asked for now.
bool isAskedAgain(const PlacementQuestion &then, const PlacementQuestion &now)
{
    return std::all_of(then.machines.begin(), then.machines.end(), [&](const std::string &type) {
        return std::find(now.machines.begin(), now.machines.end(), type) != now.machines.end();
    });
}

// An answer replaces what was kept of the same types; the rest stays while it is of use.
void addRatings(std::vector<PlacementRating> fresh, const std::vector<PlacementQuestion> &answered, base::UtcTime now,
                std::vector<PlacementRating> &kept)
{
    std::erase_if(kept, [&](const PlacementRating &old) {
        return !wasWithin(old.at, kPlacementSeen, now)
            || std::any_of(answered.begin(), answered.end(),
                           [&](const PlacementQuestion &one) { return isAskedAgain(old.asked, one); });
    });
    std::move(fresh.begin(), fresh.end(), std::back_inserter(kept));
}

void noteFailure(KeptPlacement &kept, const base::Error &error, base::UtcTime now)
{
    kept.failedAt = now;
    kept.failure = base::printable(error.text, kLongestPlacementReason);
}

void warnOfPlacement(const base::Error &error, SyncReport &report)
{
    report.warnings.push_back("its ratings of spot placement are left out: "
                              + base::printable(error.text, kLongestPlacementReason));
}

// Asks everything and changes `kept` accordingly. Fails with Cancelled.
Result<void> readPlacement(const Engine &engine, ports::PriceSource &source,
                           const std::vector<PlacementQuestion> &questions, const std::stop_token &stop,
                           KeptPlacement &kept, SyncReport &report)
{
    std::vector<PlacementRating> fresh;
    std::vector<PlacementQuestion> answered;
    kept.fullAt.reset();
    kept.failedAt.reset();
    kept.failure.clear();
    for (const PlacementQuestion &question : questions) {
        auto told = source.placement(question, engine.clock().now(), stop);
        if (told) {
            fresh.push_back(cleanRating(std::move(*told)));
            answered.push_back(question);
            continue;
        }
        const base::UtcTime now = engine.clock().now();
        if (told.error().code == ErrorCode::Cancelled)
            return base::fail(std::move(told).error());
        noteFailure(kept, told.error(), now);
        if (told.error().code == ErrorCode::Unsupported) {
            answered.push_back(question); // the cloud has no rating of these types
            continue;
        }
        if (!isOfAccess(told.error()))
            warnOfPlacement(told.error(), report);
        if (told.error().code != ErrorCode::TooMuch)
            return {};
        kept.fullAt = now;
        break;
    }
    const base::UtcTime now = engine.clock().now();
    kept.readAt = now;
    addRatings(std::move(fresh), answered, now, kept.ratings);
    return {};
}

// Fails with what prevents that anything is kept, and with Cancelled.
Result<void> askAndKeep(Engine &engine, const model::SourceSettings &settings, ports::PriceSource &source,
                        const std::map<std::string, ports::KnownMachine> &machines, base::Seconds pause,
                        const std::stop_token &stop, SyncReport &report)
{
    auto kept = keptPlacement(engine.cache(), settings.name);
    GPULEDGER_TRY(kept);
    if (!isPlacementDue(*kept, pause, engine.clock().now()))
        return {};
    const auto questions = questionsNow(engine, source.provider(), settings.auth.region, machines);
    GPULEDGER_TRY(questions);
    if (questions->empty())
        return {};
    GPULEDGER_TRY(readPlacement(engine, source, *questions, stop, *kept, report));
    return keepPlacement(engine.cache(), settings.name, *kept);
}

} // namespace

void syncPlacement(Engine &engine, const model::SourceSettings &settings, ports::PriceSource &source,
                   const std::map<std::string, ports::KnownMachine> &machines, base::Seconds pause,
                   const std::stop_token &stop, SyncReport &report)
{
    if (stop.stop_requested() || !source.ratesPlacement())
        return;
    if (auto done = askAndKeep(engine, settings, source, machines, pause, stop, report); !done)
        report.error = std::move(done).error().withSource(settings.name);
}

} // namespace gpuledger::services
