// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/savings/savingssnapshot.h"

#include <QCoreApplication>
#include <QString>
#include <QStringList>

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace gpuledger::ui {

// The texts of the Savings page. Amounts are per month of 730 hours. GUI thread.
class SavingsText {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::SavingsText)
public:
    static QString kindName(savings::Kind kind); // "Right-size"
    static QString assumptionName(std::string_view name); // "Scale-down delay"; an unknown name as it is
    static QString assumptionValue(const savings::AssumptionSpec &spec, const std::string &value); // "10 min", "20 %"
    static QString assumptionHelp(const savings::AssumptionSpec &spec); // a sentence
    static QString assumption(const savings::Assumption &one); // "Scale-down delay: 10 min"
    static QString money(const base::Money &amount); // "1,234 USD"
    static int decimals(const base::Money &amount); // cents where they count
    // "900 USD to 1,500 USD"; one amount where all three are equal
    static QString range(const savings::MoneyBand &band);
    static QString day(base::Day day); // "3 Dec 2026"
    static QString clause(const savings::Remark &remark, const base::TimeZone &zone);
    static QString sentence(const savings::Remark &remark, const base::TimeZone &zone); // with a capital letter
    static QString value(const savings::RemarkTerm &term, const base::TimeZone &zone);
    // "Saves 1,234 USD a month; 80 % band from 900 USD to 1,500 USD". `past` is what was replayed.
    static QString saves(const savings::Proposal &proposal, base::TimeRange past);
    // What it adds to the sum, where that is less than it saves by itself; else empty.
    static QString inTheSum(const savings::Proposal &proposal);
    static QString whyNot(const savings::Proposal &proposal, const base::TimeZone &zone); // of an excluded one
    static QString state(const savings::Choice &choice); // "accepted by ada until 3 Dec 2026"
    static QString shortState(const savings::Choice &choice); // "ada, by 3 Dec 2026"
    // "train-a100", or "train-a100, packed" for the one that moves the work of a pool together
    static QString target(const savings::Proposal &proposal);
    static QString what(const savings::Proposal &proposal); // "Schedule: research/notebook-7"
    // Beside the bar: "12,300 USD a month" and "between 9,000 USD and 15,000 USD if all rise and fall together".
    static QString found(const savings::SavingsSum &sum);
    static QString foundBand(const savings::SavingsList &list, const savings::SavingsSum &sum);
    static QString foundBandTip();
    // What has been counted already elsewhere, by currency: "left out as overlapping: 19,000 USD".
    static QStringList leftOut(const savings::SavingsList &list);
    // "900 USD a month, measured for 1 proposal", "projected 1,000 USD, error −10 %"; never empty.
    static QStringList realized(const SavingsDone &done);
    static QString filterNote(const SavingsSnapshot &snapshot); // empty: nothing is filtered
};

// The currency of all proposals; empty: they have several, or none.
QString onlyCurrencyOf(const savings::SavingsList &list);

// The sum of p50 of one kind, by currency; without those that don't count.
std::vector<base::Money> savingsOfKind(const savings::SavingsList &list, std::optional<savings::Kind> kind);

} // namespace gpuledger::ui
