// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/marks.h"
#include "ui/format/phrase.h"

#include <string>
#include <vector>

// What is said of marks: "stopped then, unless someone objects" (see phrase.h). Pure; any thread.
namespace gpuledger::ui {

// What a round of the watch says of one.
Phrase textOf(const actions::MarkEvent &event);
// What to send to the owner of what was marked, sentence by sentence: what it is, when it is stopped and by whom, and
// how to object. One for each stop of the plan that has marks; nothing of it was sent.
struct MarkNotice {
    std::string owner; // team
    std::vector<std::int64_t> leases;
    std::vector<Phrase> sentences;

    std::string english() const;
};
std::vector<MarkNotice> noticesOf(const actions::Marked &marked);
// "2026-10-05 15:00 UTC"
std::string minuteText(base::UtcTime at);

} // namespace gpuledger::ui
