// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/activity.h"
#include "app/ports/factbatch.h"

// The demo fleet's present activity, as an exporter scraped every 15 s would report it.
namespace gpuledger::demo {

inline constexpr base::Seconds kScrape{15};

// The time range whose facts the answer is built from: whole buckets, including the current one.
base::TimeRange liveRange(const ports::ActivityQuestion &question, base::UtcTime now);
// `facts` must be those of liveRange(). A bucket of the simulation has one value, which each scrape in it reports.
ports::ActivityAnswer liveActivity(const ports::FactBatch &facts, const ports::ActivityQuestion &question,
                                   base::UtcTime now);

} // namespace gpuledger::demo
