// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/ports/costsource.h"
#include "connectors/lambda/instance.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

// When which instances were seen. Lambda can't be asked for it afterwards, so it is kept between syncs: what runs, and
// for each month what was seen in it. Plain values and functions.
namespace gpuledger::lambda {

// The time between two sightings of an instance, or at one, at one price.
struct SeenSpan {
    base::UtcTime since{}, until{}; // of the first and the last sighting
    std::optional<std::int64_t> cents; // per hour; std::nullopt: unknown

    bool operator==(const SeenSpan &) const = default;
};

struct SeenInstance {
    InstanceFacts facts; // as they were seen last
    std::vector<SeenSpan> spans; // ascending; one begins where the price changed

    bool operator==(const SeenInstance &) const = default;
};

// The instances that were seen at least twice, with a part of that time in this month; spans are not cut at its ends.
struct SeenMonth {
    base::Seconds longestPause{}; // between two sightings of one instance
    std::map<std::string, SeenInstance> instances; // by id

    std::string toText() const;
    // An empty text is an empty month. Fails with StorageNewer if the text is not one of toText().
    [[nodiscard]] static base::Result<SeenMonth> fromText(const std::string &text);
};

// The last answer.
struct LastSighting {
    base::UtcTime at{}; // the epoch: there was none
    std::map<std::string, SeenSpan> running; // by id, also those that the last answers lacked

    std::string toText() const;
    [[nodiscard]] static base::Result<LastSighting> fromText(const std::string &text); // as SeenMonth
};

// An instance that ran from the last sighting until this one.
struct SeenAgain {
    const ListedInstance *instance; // of this answer
    base::UtcTime last{}; // when it was seen before
    SeenSpan span; // until now
};

// Takes over an answer. An instance that is listed again ran in between, because Lambda can't stop one; at the price
// that it had before, which is certain at the beginning of that time, as the new one is only at its end. An ended one,
// and one that no answer of a month had, starts anew. `listed` must outlive what is returned.
std::vector<SeenAgain> sawAgain(LastSighting &last, const std::vector<ListedInstance> &listed, base::UtcTime at);

// What is kept. Fail with the errors of the sink, and with StorageNewer.
[[nodiscard]] base::Result<LastSighting> lastSighting(ports::BillSink &sink);
[[nodiscard]] base::Result<SeenMonth> seenIn(const base::TimeRange &month, ports::BillSink &sink);
// Keeps an answer, if it is later than the last one; else it changes nothing. May be repeated after it was interrupted.
// Fails with Refused if it is years after the last one, or some minutes before it: then a clock is wrong. Also fails
// with the errors of the sink, with StorageNewer, and with TooMuch above kMostInstances in a month.
[[nodiscard]] base::Result<void> keepSighting(const std::vector<ListedInstance> &listed, base::UtcTime at,
                                              ports::BillSink &sink);

} // namespace gpuledger::lambda
