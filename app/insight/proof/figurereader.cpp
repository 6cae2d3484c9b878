// SPDX-License-Identifier: GPL-3.0-or-later
// Parses the text of a figure.
#include "app/insight/proof/figurekeys.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gpuledger::insight {

using base::ErrorCode;
using base::Result;

namespace {

using figurekeys::decoded;
using figurekeys::kBefore;
using figurekeys::kLongestSpan;
using figurekeys::named;
using figurekeys::Pair;
using figurekeys::Reader;
using figurekeys::refused;

Result<void> readBins(Reader &reader, Figure &figure)
{
    const auto bins = reader.required("bins");
    GPULEDGER_TRY(bins);
    const auto kind = binsFromString(*bins);
    if (!kind || *kind == Bins::FiveMinutes)
        return refused("invalid \"bins\": " + named(*bins));
    figure.bins = *kind;
    auto zone = reader.required("tz");
    GPULEDGER_TRY(zone);
    figure.zone = std::move(*zone);
    auto bin = reader.optional("bin");
    GPULEDGER_TRY(bin);
    figure.bin = std::move(*bin);
    return {};
}

// The parts of a machine depend on the policy.
Result<void> readSplit(Reader &reader, Figure &figure)
{
    const auto text = reader.optional("split");
    GPULEDGER_TRY(text);
    if (!*text)
        return {};
    figure.split = model::splitPolicyFromString(**text);
    return figure.split ? Result<void>() : refused("invalid \"split\": " + named(**text));
}

using Part = std::pair<const char *, std::optional<std::string> *>;

Result<void> readParts(Reader &reader, std::initializer_list<Part> parts)
{
    for (const auto &[key, to] : parts) {
        auto value = reader.optional(key);
        GPULEDGER_TRY(value);
        *to = std::move(*value);
    }
    return reader.end();
}

// A line of a statement needs its category and state, and so on: with less it would be a different figure.
Result<void> checkParts(const Figure &figure)
{
    const auto of = [&](std::string_view what) { return std::string_view(figure.measure).starts_with(what); };
    const auto need = [](bool isGiven, bool isNeeded, const char *key) -> Result<void> {
        return isGiven == isNeeded ? Result<void>()
            : isNeeded             ? Result<void>(refused(named(key) + " is missing"))
                                   : Result<void>(refused("this measure has no key " + named(key)));
    };
    if (figure.kind == FigureKind::Reconcile) {
        GPULEDGER_TRY(need(figure.line.has_value(), of("line."), "line"));
        return need(figure.detail.has_value(), of("line."), "detail");
    }
    if (!figure.team || !of("line.")) // a line without a team applies to all teams
        GPULEDGER_TRY(need(figure.team.has_value(), of("team."), "team"));
    GPULEDGER_TRY(need(figure.category.has_value(), of("line."), "category"));
    return need(figure.state.has_value(), of("line."), "state");
}

Result<void> readRule(Reader &reader, ReplayedRule &rule)
{
    const auto isShare = [](double value) { return std::isfinite(value) && value >= 0 && value <= 1; };
    GPULEDGER_TRY(reader.number("threshold", rule.threshold));
    GPULEDGER_TRY(reader.number("observed", rule.observed));
    if (!isShare(rule.threshold) || !isShare(rule.observed))
        return refused("\"threshold\" and \"observed\" must be from 0 to 1");
    GPULEDGER_TRY(reader.grace(rule.grace));
    std::int64_t within = 0;
    GPULEDGER_TRY(reader.number("resume-within", within));
    if (within < 0 || within > kLongestSpan)
        return refused("\"resume-within\" is not a length of time");
    rule.resumeWithin = base::Seconds{within};
    return reader.costView(rule.cost);
}

Result<void> readReplay(Reader &reader, Figure &figure)
{
    GPULEDGER_TRY(reader.range(figure.range));
    GPULEDGER_TRY(readRule(reader, figure.rule));
    if (std::string_view(figure.measure).starts_with(kStopMeasure)) {
        GPULEDGER_TRY(reader.time("at", figure.at));
        auto item = reader.required("id");
        GPULEDGER_TRY(item);
        figure.item = std::move(*item);
        return reader.filter(figure.filter);
    }
    const auto type = reader.optional("row-type");
    GPULEDGER_TRY(type);
    auto owner = reader.optional("row-owner");
    GPULEDGER_TRY(owner);
    if (type->has_value() != owner->has_value())
        return refused("\"row-type\" and \"row-owner\" belong together");
    if (*type) {
        const auto kind = model::workloadKindFromString(**type);
        if (!kind)
            return refused("\"row-type\" is not a kind of workload: " + named(**type));
        figure.row = {*kind, std::move(**owner)};
    }
    return reader.filter(figure.filter);
}

Result<void> readAction(Reader &reader, Figure &figure)
{
    GPULEDGER_TRY(reader.number("number", figure.action));
    auto item = reader.optional("id");
    GPULEDGER_TRY(item);
    if (*item && (*item)->empty())
        return refused("\"id\" is empty");
    figure.item = std::move(*item).value_or(std::string());
    return reader.end();
}

Result<void> readSavings(Reader &reader, Figure &figure)
{
    GPULEDGER_TRY(reader.range(figure.range));
    GPULEDGER_TRY(reader.assumptions(figure.basis.assumed));
    GPULEDGER_TRY(reader.costView(figure.basis.cost));
    GPULEDGER_TRY(reader.currency(figure));
    const std::string_view measure = figure.measure;
    if (measure.starts_with(kSavingsSum)) {
        auto kind = reader.optional("kind");
        GPULEDGER_TRY(kind);
        figure.basis.kind = std::move(*kind);
    } else if (!measure.starts_with(kRealizedSum)) {
        auto item = reader.required("id");
        GPULEDGER_TRY(item);
        figure.item = std::move(*item);
    }
    return reader.end();
}

Result<void> readKeys(Reader &reader, Figure &figure)
{
    switch (figure.kind) {
    case FigureKind::Heatmap:
        GPULEDGER_TRY(reader.range(figure.range));
        GPULEDGER_TRY(readBins(reader, figure));
        return reader.filter(figure.filter);
    case FigureKind::Summary:
        GPULEDGER_TRY(reader.range(figure.range));
        return reader.filter(figure.filter);
    case FigureKind::Idle: {
        GPULEDGER_TRY(reader.time("at", figure.at));
        auto item = reader.required("id");
        GPULEDGER_TRY(item);
        figure.item = std::move(*item);
        return reader.end();
    }
    case FigureKind::Ledger:
        GPULEDGER_TRY(reader.range(figure.range));
        GPULEDGER_TRY(reader.money(figure));
        GPULEDGER_TRY(readSplit(reader, figure));
        return reader.dimensions(figure);
    case FigureKind::Showback:
        GPULEDGER_TRY(reader.month(figure));
        GPULEDGER_TRY(reader.money(figure));
        GPULEDGER_TRY(
            readParts(reader, {{"team", &figure.team}, {"category", &figure.category}, {"state", &figure.state}}));
        return checkParts(figure);
    case FigureKind::Reconcile:
        GPULEDGER_TRY(reader.month(figure));
        GPULEDGER_TRY(reader.money(figure));
        GPULEDGER_TRY(readParts(reader, {{"line", &figure.line}, {"detail", &figure.detail}}));
        return checkParts(figure);
    case FigureKind::Change:
        GPULEDGER_TRY(reader.range(figure.range));
        GPULEDGER_TRY(reader.range(figure.before, kBefore));
        return reader.filter(figure.filter);
    case FigureKind::SpendChange:
        GPULEDGER_TRY(reader.range(figure.range));
        GPULEDGER_TRY(reader.range(figure.before, kBefore));
        figure.view = MoneyView::Effective;
        GPULEDGER_TRY(reader.currency(figure));
        return reader.end();
    case FigureKind::Replay:
        return readReplay(reader, figure);
    case FigureKind::Action:
        return readAction(reader, figure);
    case FigureKind::Savings:
        return readSavings(reader, figure);
    }
    return {};
}

Result<std::vector<Pair>> split(std::string_view text)
{
    std::vector<Pair> pairs;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('&'), text.size());
        const std::string_view one = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::size_t equals = one.find('=');
        if (equals == std::string_view::npos)
            return refused(named(one) + " has no value");
        auto key = decoded(one.substr(0, equals)), value = decoded(one.substr(equals + 1));
        if (!key || !value)
            return refused(named(one) + " has a % that is not followed by two hexadecimal digits");
        pairs.emplace_back(std::move(*key), std::move(*value));
    }
    return pairs;
}

} // namespace

Result<Figure> figureFromString(std::string_view text)
{
    if (text.size() > kLongestFigure)
        return refused("it is longer than " + std::to_string(kLongestFigure) + " bytes");
    const std::size_t slash = text.find('/'), mark = std::min(text.find('?'), text.size());
    if (slash == std::string_view::npos || slash > mark)
        return refused(named(text) + " does not start with a kind and a measure");
    Figure figure;
    const std::string_view kind = text.substr(0, slash);
    bool known = false;
    for (int i = 0; i <= static_cast<int>(kLastFigureKind) && !known; ++i) {
        figure.kind = static_cast<FigureKind>(i);
        known = toString(figure.kind) == kind;
    }
    if (!known)
        return refused("unknown kind " + named(kind));
    figure.measure = text.substr(slash + 1, mark - slash - 1);
    const auto &measures = figureMeasures(figure.kind);
    if (std::find(measures.begin(), measures.end(), figure.measure) == measures.end())
        return refused("the " + std::string(kind) + " has no measure " + named(figure.measure));
    auto pairs = split(text.substr(std::min(mark + 1, text.size())));
    GPULEDGER_TRY(pairs);
    Reader reader(std::move(*pairs));
    GPULEDGER_TRY(readKeys(reader, figure));
    return figure;
}

} // namespace gpuledger::insight
