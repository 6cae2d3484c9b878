// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/money/costview.h"
#include "app/savings/proposals/choice.h"
#include "ui/cli/program/jsonrows.h"

#include <map>
#include <string>
#include <vector>

// Prints choices about proposals, and what accepted ones saved. Pure; any thread.
namespace gpuledger::cli {

Json choiceJson(const savings::Choice &choice);
// "ID: accepted, kim, until 2026-12-01"
std::string choiceLine(const savings::Choice &choice);
std::string choicesText(const std::vector<savings::Choice> &choices, bool bold);
std::string choicesCsv(const std::vector<savings::Choice> &choices);

// Each line of `realized` is about one of `choices`.
Json realizedJson(const std::vector<savings::Realized> &realized, const std::vector<savings::Choice> &choices,
                  model::CostView view);
std::string realizedText(const std::vector<savings::Realized> &realized, const std::vector<savings::Choice> &choices,
                         model::CostView view, bool bold);
std::string realizedCsv(const std::vector<savings::Realized> &realized, const std::vector<savings::Choice> &choices);

// The choices that hold, by proposal. Refers to `choices`.
class ChoiceIndex {
public:
    explicit ChoiceIndex(const std::vector<savings::Choice> &choices);
    Json of(const std::string &proposal) const; // null: none, or it was taken back

private:
    std::map<std::string, const savings::Choice *, std::less<>> m_byProposal;
};

} // namespace gpuledger::cli
