// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/activity.h"
#include "app/ports/factbatch.h"

// What the demo fleet reports of the present moment, as an exporter that is scraped every 15 s would.
namespace gpuledger::demo {

inline constexpr base::Seconds kScrape{15};

// The time whose facts the answer is made of: whole buckets, the running one included.
base::TimeRange liveRange(const ports::ActivityQuestion &question, base::UtcTime now);
// Of the facts of liveRange(). A bucket of the simulation has one value, which each scrape in it reports.
ports::ActivityAnswer liveActivity(const ports::FactBatch &facts, const ports::ActivityQuestion &question,
                                   base::UtcTime now);

} // namespace gpuledger::demo
