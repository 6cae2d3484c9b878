// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/insight/idle/idle.h"
#include "app/model/money/allocation.h"
#include "app/ports/telemetrysource.h"
#include "app/reports/statement/monthstatus.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// The engine's messages, each worded in one place: as English for the command line, and as the key under which the
// window finds the translation. Pure; any thread.
namespace gpuledger::ui {

struct Phrase {
    struct Term {
        enum class Kind {
            Text, // from outside the program
            Count,
            Share, // 0..1
            Watts,
            Gibibytes,
            Duration, // seconds
            Instant, // seconds since 1970
            Month, // "2026-10" in `text`; the window names it
            Phrase,
            Decimal, // one decimal
            Amount, // in `nanos`, of the currency in `text`
            HourlyRate, // the same, per hour; the sentence says so
            Day, // in `nanos`, seconds since 1970 of its start in UTC
            PriceSource, // in `text`, as the price book words it
            Protection, // in `text`, as the rules of protection word it
        };
        Kind kind = Kind::Text;
        std::string text;
        double number = 0;
        std::vector<Phrase> phrase; // at most one
        std::int64_t nanos = 0;
    };

    const char *pattern = ""; // with %1, %2, … for the terms and %n for the count of a plural; empty: no phrase
    const char *singular = nullptr; // English text for a count of 1; null: no plural
    std::uint64_t count = 0;
    std::vector<Term> terms;
    const char *context = "gpuledger::ui::Phrase"; // of its translation

    std::string english() const;
};

// What phrases are made of.
namespace phrases {

inline Phrase::Term word(std::string text)
{
    return {Phrase::Term::Kind::Text, std::move(text), 0, {}};
}

inline Phrase say(const char *pattern, std::vector<Phrase::Term> terms = {})
{
    return {pattern, nullptr, 0, std::move(terms)};
}

} // namespace phrases

Phrase phraseOf(const insight::IdleSignal &signal);
// Why the workload is idle, and whether stopping it ends its cost.
Phrase causeOf(const insight::IdleItem &item);
Phrase recoveryOf(const insight::IdleItem &item);
// Why the workload can't be judged.
Phrase phraseOf(const insight::UnknownItem &item);
Phrase textOf(const ports::Finding &finding);
Phrase remedyOf(const ports::Finding &finding); // empty if nothing has to be done
Phrase productOf(const ports::ProbeReport &report);
Phrase cloudTextOf(const ports::Finding &finding); // of bills, prices, machines and rights
// What an import of bills found, and why it rejected a row.
Phrase textOf(const ports::BillFinding &finding);
Phrase textOf(const ports::Rejection &rejection);
Phrase textOf(ports::RejectReason reason); // for rows grouped by reason, without their values

// The objections to closing a month, and the outcome of signing it off.
Phrase textOf(const reports::Objection &objection);
Phrase textOf(const reports::SignOff &result);
// Why an allocator's amount differs: a clause to follow "because".
Phrase textOf(model::AllocationReason reason);

} // namespace gpuledger::ui
