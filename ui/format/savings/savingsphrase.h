// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/proposals/proposal.h"
#include "ui/format/phrases/phrase.h"

#include <string>
#include <string_view>

// What the savings engines say, as phrases (see phrase.h). Pure; any thread.
namespace gpuledger::ui {

Phrase textOf(const savings::Remark &remark);
Phrase valueOf(const savings::RemarkTerm &value);
// What the proposal is about, in English: "train-a100", or "train-a100 (packed)" where the same pool has another one.
std::string targetText(const savings::Proposal &proposal);

} // namespace gpuledger::ui
