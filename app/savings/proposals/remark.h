// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/time/gputime.h"
#include "app/base/time/time.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// What the engines say about a proposal, as data: which sentence, and the quantities and names in it. ui/format words
// it for the command line and translates it for the window. Values; any thread.
namespace gpuledger::savings {

// The entries of remarks.def.
enum class RemarkText : std::uint16_t {
#define GPULEDGER_REMARK(name, text) name,
#include "app/savings/proposals/remarks.def"
#undef GPULEDGER_REMARK
};
std::string_view englishOf(RemarkText text); // with %1, %2, … for the terms

struct Remark;

// A quantity or a name; its format is the reader's.
struct RemarkTerm {
    enum class Kind : std::uint8_t {
        Text, // from outside the program, in `text`
        Count, // in `nanos`, a whole number
        Decimal, // in `number`, shown with one decimal
        Hours, // in `number`; of a clock, GPUs or machines, as the sentence says
        Share, // in `number`, 0..1
        Gibibytes, // in `number`
        Amount, // in `nanos`, of the currency in `text`
        HourlyRate, // the same, per hour
        Day, // in `nanos`, seconds since 1970 of its start in UTC
        Duration, // in `nanos`, seconds
        Remark, // another remark within the sentence
        PriceSource, // in `text`, as the price book words it; the window has its words
        Protection, // in `text`, as the rules of protection word it; the same
    };
    Kind kind = Kind::Text;
    std::string text;
    double number = 0;
    std::int64_t nanos = 0;
    std::vector<Remark> remark; // exactly one for Kind::Remark, else none
};

struct Remark {
    RemarkText text{};
    std::vector<RemarkTerm> terms;
};

// What was counted: a label and its value.
struct Evidence {
    Remark label;
    RemarkTerm value;
};

// Terms of a remark.
RemarkTerm textTerm(std::string text);
RemarkTerm countTerm(std::int64_t count);
RemarkTerm decimalTerm(double value);
RemarkTerm hoursTerm(double hours);
RemarkTerm hoursTerm(base::GpuTime time);
RemarkTerm shareTerm(double share);
RemarkTerm gibibytesTerm(double gibibytes);
RemarkTerm amountTerm(const base::Money &amount);
RemarkTerm rateTerm(const base::Rate &rate);
RemarkTerm dayTerm(base::UtcTime day);
RemarkTerm durationTerm(base::Seconds duration);
RemarkTerm remarkTerm(Remark remark);
RemarkTerm priceSourceTerm(std::string source);
RemarkTerm protectionTerm(std::string rule);

} // namespace gpuledger::savings
