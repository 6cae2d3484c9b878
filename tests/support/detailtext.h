// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/reports/months/statementdetail.h"

#include <string>

// The details of a statement as text, for comparison. Any thread.
namespace gpuledger::tests {

inline void addLines(std::string &to, const reports::History::Lines *lines)
{
    if (!lines) {
        to += " unknown";
        return;
    }
    for (const auto &[line, amount] : *lines) {
        if (!amount.isZero()) // a zero line is equivalent to none
            to += ' ' + line.first + '/' + line.second + '=' + amount.toDecimal();
    }
}

// The twelve months of each currency and team of the statement, and the rate of the most common GPU.
inline std::string textBeside(const reports::StatementDetail &detail)
{
    const reports::History &history = detail.history;
    std::string out = history.isWhole() ? "whole" : "not whole";
    for (const reports::CurrencyStatement &currency : detail.statement.currencies) {
        for (const insight::Month &month : history.months()) {
            out += '\n' + std::string(currency.currency.code()) + ' ' + insight::toString(month);
            addLines(out, history.findAll(currency.currency, month));
            for (const reports::TeamStatement &team : currency.teams) {
                out += "; " + team.team;
                addLines(out, history.find(currency.currency, team.team, month));
            }
        }
    }
    if (detail.commonest)
        out += '\n' + detail.commonest->model + ' ' + detail.commonest->perHour.toDecimal() + ' '
            + std::to_string(detail.commonest->hours);
    return out + '\n';
}

} // namespace gpuledger::tests
