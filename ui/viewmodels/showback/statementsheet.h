// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/showback/showbackviewmodel.h"

#include <QString>
#include <QStringList>

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gpuledger::ui {

// A statement in readable form: every text in the user's language, every figure as a text, in the order of the page.
// What the window shows, what is printed and what is written as PDF are all produced from this alone.
struct StatementSheet {
    enum class Tone { Plain, Dearer, Cheaper };
    enum class Swatch { None, Active, Idle, Unallocated, Unobserved, Other }; // colour of a line and of its bars

    struct Line {
        Swatch swatch = Swatch::None;
        QString name;
        QString hours, amount, estimated, before, change; // empty: none, or unknown
        Tone tone = Tone::Plain;
        std::string category, state; // both empty: the total
    };
    struct Workload {
        QString name, hours, amount, idle;
        std::string nameSpace, workload;
    };
    struct Team {
        QString name, hours, amount, before, change;
        Tone tone = Tone::Plain;
        std::string team;
    };
    struct Adjustment { // for a month that was closed before the amount became known
        QString month, name, amount;
        Tone tone = Tone::Plain;
    };
    struct Budget { // of the month
        QString name; // "vision, 20.00 carried over"
        QString available, spent, left;
        QString forecast, low, high; // at the end of the month; empty: unknown
        Tone leftTone = Tone::Plain, forecastTone = Tone::Plain;
    };
    struct Month { // a bar of the chart
        QString label; // "Oct"
        std::array<double, 5> values{}; // in the order of Swatch, starting with Active
        bool isKnown = false;
        bool isShown = false; // the month of the statement
    };
    struct Section { // of one currency
        QString currency; // "USD"
        QString total, change;
        QString whyTitle; // "Change against September"
        std::vector<std::pair<QString, QString>> why; // the components of the change that are not zero: name, amount
        Tone tone = Tone::Plain;
        bool hasEstimate = false, hasBefore = false;
        std::vector<Line> lines; // the last one is the total
        std::vector<Team> teams; // for a statement of all teams
        // Below them: the steps from the teams' total to the bill; the last one is a sum.
        std::vector<Adjustment> toBill;
        std::vector<Adjustment> shared; // who pays for shared and idle cost; the last one is the amount charged
        std::vector<Adjustment> adjustments; // not part of any line; the last one is the total including them
        std::vector<Budget> budgets; // in the order of the configuration
        std::vector<Month> months;
        std::vector<Workload> workloads;
        QString range; // the range of the total: "1.00 to 2.00 USD"; empty: it is certain
        QString waste; // hours held and idle, their cost and what it would have bought; empty: none
        QStringList notes;
    };

    struct Saving { // what could be saved, in all currencies
        QString name, who, currency;
        QString low, middle, high; // p10, p50, p90 per month; empty: unknown
    };

    QString title; // "GPU cost statement: vision"
    QString subtitle; // "1 – 31 October 2026 (UTC days) · billed cost"
    base::UtcTime made{}; // when the figures were computed
    QString amountTitle, beforeTitle; // "October", "September"
    QString standing; // "Draft, as of 21 Nov 2026", "Closed on 4 Nov 2026 by ada"
    std::vector<Section> sections; // ascending by currency
    // After all sections, if the statement has savings of exactly what the sheet shows.
    std::vector<Saving> savings;
    QString savingsNote; // empty: the statement has none
};

// std::nullopt for `team`: all teams. A team without figures yields a sheet without sections. GUI thread, because of
// the translation.
StatementSheet statementSheet(const ShowbackSnapshot &snapshot, const std::optional<std::string> &team);

} // namespace gpuledger::ui
