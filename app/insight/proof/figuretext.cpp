// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the text of a figure; figurereader.cpp parses it.
#include "app/insight/proof/figure.h"

#include <charconv>
#include <cstdio>
#include <set>
#include <utility>

namespace gpuledger::insight {

namespace {

using Pair = std::pair<std::string, std::string>; // key and value, decoded

bool isPlain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
        || std::string_view("-._~:/").find(c) != std::string_view::npos;
}

std::string encoded(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        if (isPlain(c)) {
            out += c;
            continue;
        }
        char hex[4];
        std::snprintf(hex, sizeof hex, "%%%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
        out += hex;
    }
    return out;
}

// Midnight is written as a date.
std::string timeText(base::UtcTime t)
{
    const std::string text = base::toRfc3339(t);
    return text.ends_with("T00:00:00Z") ? text.substr(0, 10) : text;
}

void put(std::vector<Pair> &to, const std::string &key, const std::optional<std::string> &value)
{
    if (value)
        to.emplace_back(key, *value);
}

void putRange(std::vector<Pair> &to, base::TimeRange range, const std::string &prefix = {})
{
    to.emplace_back(prefix + "from", timeText(range.start));
    to.emplace_back(prefix + "to", timeText(range.end));
}

void putFilter(std::vector<Pair> &to, const Filter &filter)
{
    for (const auto &[dimension, values] : filter.include) {
        for (const std::string &value : std::set<std::string>(values.begin(), values.end()))
            to.emplace_back(toString(dimension), value);
    }
    for (const auto &[dimension, values] : filter.exclude) {
        for (const std::string &value : std::set<std::string>(values.begin(), values.end()))
            to.emplace_back(std::string(kExcluded) + toString(dimension), value);
    }
}

void putMoney(std::vector<Pair> &to, const Figure &figure)
{
    to.emplace_back("view", std::string(toString(figure.view)));
    to.emplace_back("in", std::string(figure.currency.code()));
}

// The shortest text that is read as exactly this number.
std::string numberText(double value)
{
    char text[32];
    const auto [end, error] = std::to_chars(std::begin(text), std::end(text), value);
    return std::string(text, end);
}

void putReplay(std::vector<Pair> &to, const Figure &figure)
{
    putRange(to, figure.range);
    to.emplace_back("threshold", numberText(figure.rule.threshold));
    to.emplace_back("observed", numberText(figure.rule.observed));
    for (const auto &[kind, length] : figure.rule.grace)
        to.emplace_back(std::string(kGraceKey) + std::string(model::toString(kind)), std::to_string(length.count()));
    to.emplace_back("resume-within", std::to_string(figure.rule.resumeWithin.count()));
    to.emplace_back("cost", std::string(model::toString(figure.rule.cost)));
    if (figure.row) {
        to.emplace_back("row-type", std::string(model::toString(figure.row->first)));
        to.emplace_back("row-owner", figure.row->second);
    }
    if (std::string_view(figure.measure).starts_with(kStopMeasure)) {
        to.emplace_back("at", timeText(figure.at));
        to.emplace_back("id", figure.item);
    }
    putFilter(to, figure.filter);
}

void putSavings(std::vector<Pair> &to, const Figure &figure)
{
    putRange(to, figure.range);
    to.emplace_back("cost", std::string(model::toString(figure.basis.cost)));
    to.emplace_back("in", std::string(figure.currency.code()));
    for (const auto &[name, value] : figure.basis.assumed)
        to.emplace_back(std::string(kAssumeKey) + name, value);
    const std::string_view measure = figure.measure;
    if (measure.starts_with(kSavingsSum))
        put(to, "kind", figure.basis.kind);
    else if (!measure.starts_with(kRealizedSum))
        to.emplace_back("id", figure.item);
}

std::vector<Pair> pairsOf(const Figure &figure)
{
    std::vector<Pair> pairs;
    switch (figure.kind) {
    case FigureKind::Heatmap:
        putRange(pairs, figure.range);
        pairs.emplace_back("bins", std::string(toString(figure.bins)));
        pairs.emplace_back("tz", figure.zone);
        put(pairs, "bin", figure.bin);
        putFilter(pairs, figure.filter);
        break;
    case FigureKind::Summary:
        putRange(pairs, figure.range);
        putFilter(pairs, figure.filter);
        break;
    case FigureKind::Idle:
        pairs.emplace_back("at", timeText(figure.at));
        pairs.emplace_back("id", figure.item);
        break;
    case FigureKind::Ledger:
        putRange(pairs, figure.range);
        putMoney(pairs, figure);
        if (figure.split)
            pairs.emplace_back("split", std::string(model::toString(*figure.split)));
        for (const auto &[dimension, values] : figure.include) {
            for (const std::string &value : std::set<std::string>(values.begin(), values.end()))
                pairs.emplace_back(std::string(toString(dimension)), value);
        }
        break;
    case FigureKind::Showback:
        pairs.emplace_back("month", toString(figure.month));
        putMoney(pairs, figure);
        put(pairs, "team", figure.team);
        put(pairs, "category", figure.category);
        put(pairs, "state", figure.state);
        break;
    case FigureKind::Reconcile:
        pairs.emplace_back("month", toString(figure.month));
        putMoney(pairs, figure);
        put(pairs, "line", figure.line);
        put(pairs, "detail", figure.detail);
        break;
    case FigureKind::Change:
        putRange(pairs, figure.range);
        putRange(pairs, figure.before, "before-");
        putFilter(pairs, figure.filter);
        break;
    case FigureKind::SpendChange:
        putRange(pairs, figure.range);
        putRange(pairs, figure.before, "before-");
        pairs.emplace_back("in", std::string(figure.currency.code()));
        break;
    case FigureKind::Replay:
        putReplay(pairs, figure);
        break;
    case FigureKind::Action:
        pairs.emplace_back("number", std::to_string(figure.action));
        if (!figure.item.empty())
            pairs.emplace_back("id", figure.item);
        break;
    case FigureKind::Savings:
        putSavings(pairs, figure);
        break;
    }
    return pairs;
}

} // namespace

std::string toString(const Figure &figure)
{
    std::string text = std::string(toString(figure.kind)) + '/' + figure.measure;
    char between = '?';
    for (const auto &[key, value] : pairsOf(figure)) {
        text += between + encoded(key) + '=' + encoded(value);
        between = '&';
    }
    return text;
}

} // namespace gpuledger::insight
