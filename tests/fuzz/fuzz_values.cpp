// SPDX-License-Identifier: GPL-3.0-or-later
// Single values: amounts, times, durations, numbers, tags, label names, and texts made safe to show.
#include "app/base/money/decimal.h"
#include "app/base/money/minorunit.h"
#include "app/base/text/csvtext.h"
#include "app/base/text/text.h"
#include "app/base/time/time.h"
#include "app/insight/spend/reconcile.h"
#include "app/model/money/mangledlabel.h"
#include "connectors/format/csvreader.h"
#include "connectors/format/focus/focusvalues.h"
#include "connectors/format/samplescan.h"
#include "connectors/kubernetes/queue/podneeds.h"
#include "connectors/opencost/allocationrecords.h"
#include "connectors/prometheus/series/seriesnormalizer.h"
#include "tests/fuzz/fuzz.h"

namespace gpuledger::fuzz {

namespace {

using base::Currency;
using base::Decimal;
using base::Money;

void readAmounts(std::string_view text)
{
    const auto decimal = Decimal::parse(text);
    const auto money = Money::parse(text, Currency::usd());
    check(decimal || !money, "an amount is a decimal number");
    if (money) {
        check(Money::parse(money->toDecimal(), Currency::usd()) == *money, "an amount survives its text");
        check(Decimal::of(*money).toMoney(Currency::usd()) == *money, "an amount is a decimal number, and back");
        check(money->minus(*money)->isZero(), "an amount minus itself is zero");
        if (const auto units = base::inMinorUnits(std::span(&*money, 1)))
            (void)base::minorText(units->front(), Currency::usd());
    }
    if (decimal) {
        check(Decimal::parse(decimal->toText()) == *decimal, "a decimal number survives its text");
        (void)decimal->toMoney(Currency::usd());
        check(decimal->minus(*decimal)->isZero(), "a number minus itself is zero");
    }
    if (const auto currency = Currency::parse(text))
        check(currency->code() == text, "a currency survives its text");
    (void)opencost::scaled(std::string(text), 1'000'000'000);
    (void)opencost::scaled(std::string(text), 3'600'000);
}

void readTimes(std::string_view text)
{
    if (const auto time = base::parseTime(text)) {
        const std::string written = base::toRfc3339(*time);
        const auto again = base::parseTime(written);
        check(again && *again == *time, "a time survives its text");
        (void)base::dayOf(*time);
    }
    if (const auto length = base::parseDuration(text))
        check(length->count() >= 0, "a duration is never negative");
    if (const auto time = focus::readTime(text)) {
        const std::string written = base::toRfc3339(time->time);
        const auto again = focus::readTime(written); // half a second before the year 10000 is rounded up to it
        check(written.starts_with("10000-") || (again && again->time == time->time),
              "a time of a bill survives its text");
    }
    if (const auto month = insight::monthFromString(text))
        check(insight::toString(*month) == text, "a month survives its text");
}

void readTexts(std::string_view text)
{
    check(base::isUtf8(base::repairedUtf8(text)), "a repaired text is UTF-8");
    check(!base::isUtf8(text) || base::repairedUtf8(text) == text, "what is UTF-8 is not repaired");
    const std::string shown = base::printable(text, 64);
    check(shown.size() <= 64 + 3 && base::isUtf8(shown), "what is shown is short, and UTF-8");
    check(base::printable(shown, 1000) == shown, "what is shown is safe to show");
    for (const char c : model::mangledLabel(text))
        check((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_',
              "a label name of Prometheus has only letters, digits and _");
    (void)focus::readTags(text);
    (void)prometheus::hostOfInstance(text);
    const auto share = prometheus::migFraction(text, "A100");
    check(share.part > 0 && share.part <= share.of, "a slice is a part of its device");
    (void)base::parseDouble(text);
    (void)base::parseInt(text);
    (void)format::sampleValue(text);
    if (const auto n = kubernetes::quantity(std::string(text), 1000, 1'000'000'000))
        check(*n >= 0 && *n <= 1'000'000'000, "a quantity is within its limit");
}

bool hasControls(std::string_view text)
{
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
        if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7F
            || (c == 0xC2 && next >= 0x80 && next < 0xA0))
            return true;
    }
    return false;
}

// A cell that we write is read back unchanged, but for control characters, which are replaced.
void readCell(std::string_view text)
{
    check(!hasControls(base::csvCell(text)), "a cell has no control characters");
    if (hasControls(text))
        return;
    const std::string cell = base::csvCell(text) + ",end\n";
    MemoryBytes source(cell);
    format::CsvReader reader(source);
    format::TextRow row;
    const auto more = reader.next(row);
    if (!more || text.find('\0') != std::string_view::npos || text.starts_with("\xef\xbb\xbf"))
        return;
    check(*more && row.size() == 2 && row[1] == "end", "a cell is one field");
    check(row[0] == text || row[0] == '\'' + std::string(text), "a cell keeps its text");
}

} // namespace

void fuzz(std::string_view bytes)
{
    readAmounts(bytes);
    readTimes(bytes);
    readTexts(bytes);
    readCell(bytes);
}

} // namespace gpuledger::fuzz
