// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/crossover/crossover.h"
#include "ui/cli/program/output.h"

#include <string>
#include <vector>

// Prints where owning, renting and calling an API cost the same, for `compare crossover`. Pure; any thread.
namespace gpuledger::cli {

struct CrossoverAnswer {
    savings::CrossoverQuestion question;
    savings::Crossover result;
    base::Currency currency = base::Currency::usd(); // of all amounts
    std::string gpuModel, ownSource; // empty: none
    bool isOwnAsked = false, isApiAsked = false; // an input of it is known
    std::vector<std::string> notes; // sentences about what is not compared
};

Json crossoverJson(const CrossoverAnswer &answer);
std::string crossoverCsv(const CrossoverAnswer &answer); // a row for each comparison
std::string crossoverText(const CrossoverAnswer &answer, bool bold);

} // namespace gpuledger::cli
