// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/showback/showbackviewmodel.h"

#include <QString>
#include <QStringList>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::ui {

// A statement as people read it: every text in their language, every figure as a text, in the order of the page. What
// the window shows, what is printed and what is written as PDF are made from this and from nothing else.
struct StatementSheet {
    enum class Tone { Plain, Dearer, Cheaper };
    enum class Swatch { None, Active, Idle, Unallocated, Unobserved, Other }; // colour of a line and of its bars

    struct Line {
        Swatch swatch = Swatch::None;
        QString name;
        QString hours, amount, estimated, before, change; // empty: there is none, or it is not known
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
    struct Adjustment { // of a month that was closed before it became known
        QString month, name, amount;
        Tone tone = Tone::Plain;
    };
    struct Month { // a bar of the chart
        QString label; // "Oct"
        std::array<double, 5> values{}; // in the order of Swatch, from Active on
        bool isKnown = false;
        bool isShown = false; // the month that the statement is of
    };
    struct Section { // of one currency
        QString currency; // "USD"
        QString total, change, why; // why: the parts of the change
        Tone tone = Tone::Plain;
        bool hasEstimate = false, hasBefore = false;
        std::vector<Line> lines; // the last one is the total
        std::vector<Team> teams; // of a statement of all teams
        std::vector<Adjustment> toBill; // below them: what leads from their column to the bill; the last one is a sum
        std::vector<Adjustment> shared; // who pays for shared and idle cost; the last one is what is charged
        std::vector<Adjustment> adjustments; // in no line; the last one is the total with them
        std::vector<Month> months;
        std::vector<Workload> workloads;
        QString range; // between what and what the total lies: "1.00 to 2.00 USD"; empty: it is sure
        QString waste; // hours held and idle, their cost and what it would have bought; empty: none
        QStringList notes;
    };

    QString title; // "GPU cost statement: vision"
    QString subtitle; // "1 – 31 October 2026 (UTC days) · billed cost"
    base::UtcTime made{}; // when the figures were taken
    QString amountTitle, beforeTitle; // "October", "September"
    QString standing; // "Draft, as of 21 Nov 2026", "Closed on 4 Nov 2026 by ada"
    std::vector<Section> sections; // ascending by currency
};

// Nothing for `team`: all teams. A team without figures gives a sheet without sections. GUI thread, because of the
// language.
StatementSheet statementSheet(const ShowbackSnapshot &snapshot, const std::optional<std::string> &team);

// How far the month is signed off: "Draft", "Reviewed", "Closed".
QString standingWord(const reports::MonthStatus &status);

// Words of the page that are those of its documents too.
QString monthName(const insight::Month &month); // "October 2026"
QString statementTeamName(const std::string &team); // "No team" for money that no rule could be asked about
QString sharingRuleName(reports::SharingRule rule); // "in equal parts"
QString statementCategory(const std::string &category); // "Storage"
QString statementAmount(const base::Money &amount); // with two decimals, without its currency
QString statementChange(const base::Money &amount); // the same with its sign

} // namespace gpuledger::ui
