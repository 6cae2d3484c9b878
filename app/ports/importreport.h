// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/decimal.h"
#include "app/model/money/bill.h"
#include "app/ports/finding.h"

#include <cstdint>
#include <string>
#include <vector>

// What an import read, accepted, rejected and noticed. Plain values; ui/format has the sentences for the codes.
namespace gpuledger::ports {

// Lines of one currency and their amounts.
struct BillSum {
    base::Currency currency; // none: lines whose currency could not be parsed
    std::uint64_t lines = 0;
    std::uint64_t unknownBilled = 0, unknownEffective = 0; // lines whose amount could not be parsed; not in any sum
    base::Decimal billed, effective; // as written in the file, exact to 1e-18
    // The same as amounts in units of 1e-9, each line rounded separately, which is what the ledger stores.
    base::Decimal billedKept, effectiveKept;

    bool operator==(const BillSum &) const = default;
};

// The number of lines and their amounts by currency.
struct BillTally {
    std::uint64_t lines = 0;
    std::vector<BillSum> sums; // ascending by currency
    bool operator==(const BillTally &) const = default;
};

// Why a line was rejected; parentheses list the arguments of the sentence, in this order. Texts are printable.
enum class RejectReason {
    ColumnCount, // (columns of the line, columns of the header)
    TextAfterQuote, // a quoted value continues after its closing quote
    LineTooLong, // (maximum number of bytes)
    NulByte,
    MissingValue, // (column)
    NotATime, // (column, text)
    EmptyTimeRange, // (column of the start)
    NotAnAmount, // (column, text)
    AmountTooLarge, // (column, text)
    UnknownCategory, // (text)
    NotACurrency, // (text)
};

// A rejected line, and why it was rejected.
struct Rejection {
    std::uint32_t file = 0; // index of the file in the delivery, from 0
    std::uint64_t row = 0; // line of the file where it starts, from 1
    RejectReason reason{};
    std::vector<FindingTerm> terms;
};

struct RejectCount {
    RejectReason reason{};
    std::uint64_t lines = 0;
};

// How providers' files deviate from the specification, and what was done about it. For kinds that list "lines", the
// last argument is the number of affected lines.
enum class BillFindingText {
    ColumnMissing, // (column): its values are unknown
    ValueMissing, // (column, lines): never empty by the specification
    ValueUnreadable, // (column, example, lines): kept as an extra column, else unknown
    WordUnknown, // (column, example, lines): kept as an extra column, else unknown
    WordSpelling, // (column, lines): accepted despite its capitalization
    NullWord, // (lines): a literal NULL was read as no value
    NoZone, // (lines): times without a zone were read as UTC
    InvalidUtf8, // (lines): bytes that are not UTF-8 were replaced
    ListCostUnknown, // (lines): a list cost of 0 for something that has a cost
    ContractedCostUnknown, // (lines): the same for the contracted cost
    PricesNull, // (lines): without unit prices or SKU
    TagsUnreadable, // (lines): kept as an extra column
    TagsWithoutBraces, // (lines)
    TagKeyBlanks, // (lines): blanks around keys were removed
    TagPrefix, // (lines): "user:" was removed from keys
    TagsFromLabels, // (lines): built from x_Labels, x_Tags and x_ProjectLabels
    RegionFromName, // (lines)
    SkuDetailsFromExtra, // (lines): taken from x_SkuDetails
    IdsLowerCase, // (lines): ids with inconsistent case were converted to lower case
    EffectiveCostZero, // (currency, billed amount, lines): billed and not amortized; the file's 0 was kept
    CreditsApart, // (currency, amount, lines): x_Credits, in neither cost; compare with the invoice
    CommitmentFromSubscription, // (lines): commitment taken from x_SubscriptionInstanceId
    ChargeOutsidePeriod, // (lines): charge period outside the billing period without being a correction
    VersionAhead, // columns of FOCUS 1.3 or later
    DaysEstimated, // (days): which the provider may still change; (days, seconds): by us, with the longest pause
    DaysFromRateCard, // (days): by us, from what the provider counts and the user's prices
    TimeNotCounted, // (seconds): of these days
    DaysNotItemised, // (days): whose parts do not add up to the total
    LineTypeNew, // (type, lines): of a Cost and Usage Report; counted as adjustments
    PodSharesLeftOut, // (lines): shares of a machine's cost, which its own lines have
    NoLines, // only a header
};

// A deviation from the specification that an import found.
struct BillFinding {
    Finding::Level level = Finding::Level::Good;
    BillFindingText text{};
    std::string provider; // as the bill names it, printable; empty: for the whole file
    std::vector<FindingTerm> terms;
};

// A file of a delivery; its hash identifies it.
struct BillFile {
    std::string path;
    std::string sha256; // of its bytes on disk, lower-case hexadecimal
    std::uint64_t bytes = 0; // on disk
};

// UsageReport: a Cost and Usage Report of AWS, whose rows were read as those of FOCUS.
enum class FocusVersion { Unknown, V1_0, V1_1, V1_2, Later, UsageReport };

struct BillPart {
    model::BillKey key;
    BillTally accepted;
};

struct ProviderPart {
    std::string provider;
    BillTally accepted;
};

// The result of importing one delivery.
struct ImportReport {
    enum class Outcome {
        Imported, // the sink has committed
        Duplicate, // every file was imported before; nothing was changed
        Unfinished, // still being written: nothing was changed, try again later; see `unfinished`
    };
    static constexpr std::size_t kMostRejections = 100; // listed; the counts are complete

    Outcome outcome = Outcome::Imported;
    std::string unfinished; // why, for developers
    std::string source;
    std::vector<BillFile> files;
    FocusVersion version = FocusVersion::Unknown;
    bool versionGuessed = true; // from the columns: the files do not give it
    // read = accepted + rejected, in lines, in unknown amounts and in the amounts of each currency.
    BillTally read, accepted, rejected;
    std::vector<BillPart> parts; // what was replaced, ascending by key
    std::vector<ProviderPart> providers; // ascending by name
    std::vector<RejectCount> rejectCounts; // ascending by reason, without zeros
    std::vector<Rejection> rejections; // the first kMostRejections, in the files' order
    std::vector<BillFinding> findings;
};

} // namespace gpuledger::ports
