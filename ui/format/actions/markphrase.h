// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/run/marks.h"
#include "ui/format/phrases/phrase.h"

#include <string>
#include <vector>

// Phrases about marks: "stopped then, unless someone objects" (see phrase.h). Pure; any thread.
namespace gpuledger::ui {

// What a round of the watch decided about a mark.
Phrase textOf(const actions::MarkEvent &event);
// A message for the owner of what was marked, one sentence per element: what it is, when and by whom it will be
// stopped, and how to object. One for each stop of the plan that has marks. The program does not send it.
struct MarkNotice {
    std::string owner; // team
    std::vector<std::int64_t> leases;
    std::vector<Phrase> sentences;

    std::string english() const;
};
std::vector<MarkNotice> noticesOf(const actions::Marked &marked);
// A message for the owner of an idle workload that nobody marked, one sentence per element: what it is, what it costs,
// and how to keep it. The program does not send it.
std::vector<Phrase> ownerMessageOf(const insight::IdleItem &item);
// "2026-10-05 15:00 UTC"
std::string minuteText(base::UtcTime at);

} // namespace gpuledger::ui
