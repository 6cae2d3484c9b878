// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/ids.h"
#include "app/base/result.h"
#include "app/ledger/prices/pricebook.h"
#include "app/savings/rightsize/rightsize.h"
#include "app/savings/spot/capacity/spotpublished.h"
#include "app/savings/spot/spotoffer.h"
#include "app/services/prices/billedcommitments.h"
#include "app/services/savingsinputs/spot/spothistories.h"
#include "app/store/facts/factreader.h"

#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace gpuledger::services {

// Pods say by labels or annotations of these names, as kube-state-metrics writes them, what the program can't see:
// "30m", "48h", a time ("2026-12-01T08:00:00Z", the deadline only), "true" or "false". On the pod:
// gpu-ledger.io/checkpoint-every and so on. A value that can't be read is in SpotCandidate::misread.
inline constexpr const char *kCheckpointLabel = "gpu_ledger_io_checkpoint_every";
inline constexpr const char *kDeadlineLabel = "gpu_ledger_io_deadline"; // after the start of a run, or a time
inline constexpr const char *kInterruptibleLabel = "gpu_ledger_io_interruptible";

// A time without any pod that ends a run; after a shorter one it was restarted.
inline constexpr base::Seconds kSpotRunGap{900};

// The name that all runs of a workload share: without the end that Kubernetes generates for jobs ("train-x7k2p" is
// "train"; its letters are no vowels). Other kinds of controllers keep their name.
std::string spotSeries(std::string_view controllerKind, std::string_view name);
// insight::workloadName() with that name: the beginning of `target`.
std::string_view seriesTarget(std::string_view target, std::string_view controllerKind,
                              std::string_view controllerName);

// The workloads of a past as spot candidates, with the markets of their machines, which have neither price nor
// interruptions yet; without those that proposeSpots() never lists with its usual rules. The runs are those of their
// pods and jobs that touch the range, in full; several pods of one controller that run at the same time are one run. A
// run goes on if a pod of it that hasn't completed was there at most kSpotRunGap before the end of what is known. It
// begins with its first sample, or with the start of that pod (Holder::startedAt) if that was more than kSpotRunGap
// earlier; one whose pod was there when the data begin, and that has no start, began earlier. Reads holders and their
// spans. Fails with Cancelled and the reader's errors.
[[nodiscard]] base::Result<savings::SpotPast> spotPast(const savings::RightSizePast &sized, store::FactReader &facts,
                                                       base::TimeRange range, const std::stop_token &stop = {});

using SpotKey = std::tuple<std::string, std::string, std::string>; // cloud, region, machine type; lower case

// What became of the user's own spot nodes of one type.
struct SeenSpot {
    base::Seconds present{0};
    int vanished = 0; // times
    int podsEnded = 0; // times that pods on a node that stayed were ended by its shutdown or loss
    int times() const { return vanished + podsEnded; }
    // Per hour of running; std::nullopt: fewer than kFewestInterruptions times, so that it is unknown.
    std::optional<double> perHour() const;
};
inline constexpr int kFewestInterruptions = 5;

// A spot node (by its labels, or in `billed`) vanished each time that its spans stop in the range with something on it
// that had not completed: what a scaler removes is empty. The last time counts if it is more than an hour before the
// newest span of its cluster; an earlier one, after which a node of the same name is back, if other nodes were seen
// meanwhile. Pods that ended with model::isInterruption() within 15 minutes of it, or before the node is back, are the
// same interruption; those of a node that stayed are one if they ended within 15 minutes. Fails with the reader's
// errors.
[[nodiscard]] base::Result<std::map<SpotKey, SeenSpot>> spotSeen(store::FactReader &facts, base::TimeRange range,
                                                                 const std::set<base::NodeId> &billed);

struct SpotQuotes; // spotquotes.h

// Where prices and interruptions of markets are known from. All must outlive the call.
struct SpotSources {
    const BilledCommitments &bills;
    const std::vector<savings::PublishedSpot> &published;
    const std::map<SpotKey, SeenSpot> &seen;
    const ledger::PriceBook &prices; // exchange rates
    const ledger::PriceBook &list; // without the user's prices: what a published discount is for
    base::UtcTime at;
    const SpotHistories *histories = nullptr; // null: the configuration names none
    const ledger::GpuCatalog *gpus = nullptr; // of other machine types; null: there are none
    const SpotQuotes *quotes = nullptr; // of price lists and sources; null: there are none
    const std::vector<model::PlacementRating> *ratings = nullptr; // of all sources; null: there are none
};
// Sets the price of each market: the days of the bills, else the prices of its history, else those of price lists and
// sources, else the published discount. And the interruptions: what was seen, else the histories, else the published
// rate. A market with a history also gets the other machine types of histories in its region that
// savings::replacesMachine() and that have a price. And how its cloud rates the chance of getting such machines
// (ratingOf()). What nothing says stays unknown. Fails with Overflow.
[[nodiscard]] base::Result<void> setSpotMarkets(savings::SpotPast &past, const SpotSources &sources);

} // namespace gpuledger::services
