// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/phrases/phrase.h"

#include "ui/format/phrases/figures.h"

#include <cstdlib>

// Marks the text for lupdate; this library does not link Qt.
#define QT_TRANSLATE_NOOP(context, text) text

namespace gpuledger::ui {

namespace {

using insight::IdleSignal;
using Kind = Phrase::Term::Kind;

std::string hoursText(std::int64_t seconds)
{
    const std::int64_t h = seconds / 3600, m = seconds / 60 % 60;
    return h == 0 ? std::to_string(m) + " min"
        : m == 0  ? std::to_string(h) + " h"
                  : std::to_string(h) + " h " + std::to_string(m) + " min";
}

std::string withCurrency(std::string number, const std::string &currency)
{
    return currency.empty() ? number : number + ' ' + currency;
}

// Four decimals, rounded half away from zero; from the digits, so that none of them is lost.
std::string rateText(std::int64_t nanos)
{
    constexpr std::int64_t kLast = base::Money::kNanosPerUnit / 10'000;
    const std::int64_t rest = nanos % kLast,
                       parts = nanos / kLast
        + (rest >= kLast / 2        ? 1
               : rest <= -kLast / 2 ? -1
                                    : 0);
    const std::string decimals = std::to_string(std::abs(parts % 10'000));
    return (parts < 0 ? "-" : "") + std::to_string(std::abs(parts / 10'000)) + '.'
        + std::string(4 - decimals.size(), '0') + decimals;
}

std::string englishOf(const Phrase::Term &term)
{
    switch (term.kind) {
    case Kind::Text:
    case Kind::Month:
    case Kind::PriceSource:
    case Kind::Protection:
        return term.text;
    case Kind::Count:
    case Kind::Watts:
        return fixed(term.number, 0) + (term.kind == Kind::Watts ? " W" : "");
    case Kind::Share:
        return fixed(term.number * 100, 1) + " %";
    case Kind::Gibibytes:
        return fixed(term.number, 1) + " GiB";
    case Kind::Duration:
        return hoursText(static_cast<std::int64_t>(term.number));
    case Kind::Instant:
        return base::toRfc3339(base::fromUnix(static_cast<std::int64_t>(term.number)));
    case Kind::Phrase:
        return term.phrase.empty() ? std::string() : term.phrase.front().english();
    case Kind::Decimal:
        return fixed(term.number, 1);
    case Kind::Amount:
        return withCurrency(amountText(term.nanos), term.text);
    case Kind::HourlyRate:
        return withCurrency(rateText(term.nanos), term.text);
    case Kind::Day:
        return base::toRfc3339(base::fromUnix(term.nanos)).substr(0, 10);
    }
    return {};
}

Phrase::Term share(double value)
{
    return {Kind::Share, {}, value, {}};
}

Phrase::Term length(base::Seconds value)
{
    return {Kind::Duration, {}, static_cast<double>(value.count()), {}};
}

Phrase::Term megabytes(double value)
{
    return {Kind::Count, {}, value / 1e6, {}};
}

Phrase::Term count(double value)
{
    return {Kind::Count, {}, value, {}};
}

// What hosts, buses and inference servers did meanwhile.
Phrase inputPhrase(const IdleSignal &signal)
{
    using phrases::say;
    switch (signal.kind) {
    case IdleSignal::Kind::PcieTraffic:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 MB/s moved over PCIe (busy at %2 MB/s or more)"),
                   {megabytes(signal.value), megabytes(signal.limit)});
    case IdleSignal::Kind::NvlinkTraffic:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 MB/s moved over NVLink (busy at %2 MB/s or more)"),
                   {megabytes(signal.value), megabytes(signal.limit)});
    case IdleSignal::Kind::MemoryCopies:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "GPU memory read or written %1 of the time (%2 or more is high)"),
                   {share(signal.value), share(signal.limit)});
    case IdleSignal::Kind::HostCpu:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "CPUs of its host %1 busy (%2 or more is high)"),
                   {share(signal.value), share(signal.limit)});
    case IdleSignal::Kind::IoWait:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "CPUs of its host waited %1 of the time for input or output (%2 or more is high)"),
                   {share(signal.value), share(signal.limit)});
    case IdleSignal::Kind::StorageWait:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "processes on its host waited %1 of the time for storage (%2 or more is high)"),
                   {share(signal.value), share(signal.limit)});
    case IdleSignal::Kind::RequestsServed:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "about %1 requests served in the last %2"),
                   {count(signal.value), length(signal.window)});
    case IdleSignal::Kind::NoRequests:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "no request in the last %1"), {length(signal.window)});
    default:
        return {};
    }
}

} // namespace

std::string Phrase::english() const
{
    std::string out;
    for (const char *at = count == 1 && singular ? singular : pattern; *at != '\0'; ++at) {
        if (*at != '%') {
            out += *at;
            continue;
        }
        const char mark = at[1];
        if (mark == 'n')
            out += std::to_string(count);
        else if (mark >= '1' && static_cast<std::size_t>(mark - '1') < terms.size())
            out += englishOf(terms[static_cast<std::size_t>(mark - '1')]);
        else {
            out += '%';
            continue;
        }
        ++at;
    }
    return out;
}

Phrase phraseOf(const IdleSignal &signal)
{
    switch (signal.kind) {
    case IdleSignal::Kind::Activity:
        return {
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "activity at most %1 in any 5 min of the last %2, threshold %3"),
            nullptr,
            0,
            {share(signal.value), length(signal.window), share(signal.limit)}};
    case IdleSignal::Kind::MemoryUnchanged:
        return {QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "memory %1 held, unchanged"),
                nullptr,
                0,
                {{Kind::Gibibytes, {}, signal.value, {}}}};
    case IdleSignal::Kind::MemoryChanged:
        return {QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "memory %1 held, changed within the window"),
                nullptr,
                0,
                {{Kind::Gibibytes, {}, signal.value, {}}}};
    case IdleSignal::Kind::Power:
        return {QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "power %1, resting draw %2"),
                nullptr,
                0,
                {{Kind::Watts, {}, signal.value, {}}, {Kind::Watts, {}, signal.limit, {}}}};
    case IdleSignal::Kind::Young:
        return {QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "started only %1 ago"), nullptr, 0, {length(signal.window)}};
    case IdleSignal::Kind::Shared:
        return {QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                  "the device is shared and its activity is not reported per holder"),
                nullptr,
                0,
                {}};
    case IdleSignal::Kind::Inferred:
        return {QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                  "no label names the holder: it is the only pod that requests this device"),
                nullptr,
                0,
                {}};
    default:
        return inputPhrase(signal);
    }
}

Phrase phraseOf(const insight::UnknownItem &item)
{
    return {QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "observed %1 of the last %2, %3 is needed"),
            nullptr,
            0,
            {share(item.observed), length(item.grace), share(item.needed)}};
}

} // namespace gpuledger::ui
