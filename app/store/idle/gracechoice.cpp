// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/idle/gracechoice.h"

#include "app/base/time/time.h"
#include "app/store/idle/gaphazards.h"

namespace gpuledger::store {

namespace {

double bucketsIn(base::Seconds length)
{
    return static_cast<double>(length.count()) / static_cast<double>(base::kBucket.count());
}

// Of gaps that have lasted for `grace`, the share that ends in work within kFalseStop.
double falseShareAt(const GapHazards &hazards, base::Seconds grace)
{
    GapAhead ahead(hazards, bucketsIn(grace));
    ahead.goTo(bucketsIn(kFalseStop));
    return 1 - ahead.stays();
}

GraceChoice measuredChoice(const GapHazards &hazards)
{
    GraceChoice choice{GraceChoice::From::Measured, {}, 0, 0};
    for (const std::int32_t buckets : kGraceGrid) {
        choice.grace = buckets * base::kBucket;
        choice.falseShare = falseShareAt(hazards, choice.grace);
        if (choice.falseShare <= kMostFalse)
            break;
    }
    return choice;
}

} // namespace

GraceChoices chooseGrace(const model::IdleSettings &settings, const GapPast &past)
{
    const KindHazards known = kindHazards(past);
    GraceChoices out;
    for (const auto &[kind, length] : settings.grace) {
        const GapHazards &hazards = known.of(kind);
        const auto own = known.counts.find(kind);
        const std::int64_t gaps = own == known.counts.end() ? 0 : own->second.ended();
        GraceChoice &choice = out[kind];
        if (settings.graceMeasured.contains(kind) && gaps >= kLeastGraceGaps)
            choice = measuredChoice(hazards);
        else
            choice = {settings.graceMeasured.contains(kind) ? GraceChoice::From::Default
                                                            : GraceChoice::From::Configured,
                      length, falseShareAt(hazards, length), 0};
        choice.gaps = gaps;
    }
    return out;
}

model::IdleSettings withGrace(model::IdleSettings settings, const GraceChoices &choices)
{
    for (const auto &[kind, choice] : choices) {
        if (choice.from == GraceChoice::From::Measured)
            settings.grace[kind] = choice.grace;
    }
    return settings;
}

} // namespace gpuledger::store
