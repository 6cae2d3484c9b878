// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/decimal.h"
#include "app/model/bill.h"
#include "app/ports/finding.h"

#include <cstdint>
#include <string>
#include <vector>

// What an import read, took, refused and noticed. Plain values; ui/format has the sentences for the codes.
namespace gpuledger::ports {

// Lines of one currency and their money.
struct BillSum {
    base::Currency currency; // none: lines whose currency could not be read
    std::uint64_t lines = 0;
    std::uint64_t unknownBilled = 0, unknownEffective = 0; // lines whose amount could not be read; in no sum
    base::Decimal billed, effective; // as the file writes them, exact to 1e-18
    // The same as amounts of 1e-9, each line rounded by itself, which is what the ledger keeps.
    base::Decimal billedKept, effectiveKept;

    bool operator==(const BillSum &) const = default;
};

struct BillTally {
    std::uint64_t lines = 0;
    std::vector<BillSum> sums; // ascending by currency
    bool operator==(const BillTally &) const = default;
};

// Why a line was refused; in brackets what goes into the sentence, in this order. Texts are printable.
enum class RejectReason {
    ColumnCount, // (columns of the line, columns of the header)
    TextAfterQuote, // a quoted value goes on behind its closing quote
    LineTooLong, // (greatest number of bytes)
    NulByte,
    MissingValue, // (column)
    NotATime, // (column, text)
    EmptyTimeRange, // (column of the start)
    NotAnAmount, // (column, text)
    AmountTooLarge, // (column, text)
    UnknownCategory, // (text)
    NotACurrency, // (text)
};

struct Rejection {
    std::uint32_t file = 0; // which file of the delivery, from 0
    std::uint64_t row = 0; // line of the file where it begins, from 1
    RejectReason reason{};
    std::vector<FindingTerm> terms;
};

struct RejectCount {
    RejectReason reason{};
    std::uint64_t lines = 0;
};

// How the files of providers differ from the specification, and what was done about it. The last term of a kind that
// says "lines" is the number of lines that it was met in.
enum class BillFindingText {
    ColumnMissing, // (column): its values are unknown
    ValueMissing, // (column, lines): never empty by the specification
    ValueUnreadable, // (column, example, lines): kept as an extra column, else unknown
    WordUnknown, // (column, example, lines): kept as an extra column, else unknown
    WordSpelling, // (column, lines): read in spite of its capitals
    NullWord, // (lines): NULL written out was read as no value
    NoZone, // (lines): times without a zone were read as UTC
    InvalidUtf8, // (lines): bytes that are no UTF-8 were replaced
    ListCostUnknown, // (lines): a list cost of 0 for something that costs money
    ContractedCostUnknown, // (lines): the same of the contracted cost
    PricesNull, // (lines): without unit prices or SKU
    TagsUnreadable, // (lines): kept as an extra column
    TagsWithoutBraces, // (lines)
    TagKeyBlanks, // (lines): blanks around keys were taken away
    TagPrefix, // (lines): "user:" was taken away from keys
    TagsFromLabels, // (lines): made of x_Labels, x_Tags and x_ProjectLabels
    RegionFromName, // (lines)
    SkuDetailsFromExtra, // (lines): taken from x_SkuDetails
    IdsLowerCase, // (lines): ids that change their case were written in lower case
    EffectiveCostZero, // (currency, billed amount, lines): billed and not amortized; the file's 0 was kept
    CreditsApart, // (currency, amount, lines): x_Credits, in neither cost; compare with the invoice
    CommitmentFromSubscription, // (lines): commitment taken from x_SubscriptionInstanceId
    ChargeOutsidePeriod, // (lines): charge period outside the billing period and no correction
    VersionAhead, // columns of FOCUS 1.3 or later
    NoLines, // nothing but a header
};

struct BillFinding {
    Finding::Level level = Finding::Level::Good;
    BillFindingText text{};
    std::string provider; // as the bill names it, printable; empty: of the whole file
    std::vector<FindingTerm> terms;
};

struct BillFile {
    std::string path;
    std::string sha256; // of its bytes as they lie on disk, lower-case hexadecimal
    std::uint64_t bytes = 0; // on disk
};

enum class FocusVersion { Unknown, V1_0, V1_1, V1_2, Later };

struct BillPart {
    model::BillKey key;
    BillTally accepted;
};

struct ProviderPart {
    std::string provider;
    BillTally accepted;
};

struct ImportReport {
    enum class Outcome {
        Imported, // the sink has committed
        Duplicate, // every file was imported before; nothing was changed
        Unfinished, // somebody still writes it: nothing was changed, ask again later; see `unfinished`
    };
    static constexpr std::size_t kMostRejections = 100; // listed; the counts are complete

    Outcome outcome = Outcome::Imported;
    std::string unfinished; // why, for developers
    std::string source;
    std::vector<BillFile> files;
    FocusVersion version = FocusVersion::Unknown;
    bool versionGuessed = true; // by the columns: the files don't say
    // read = accepted + rejected, in lines, in unknown amounts and in money of each currency.
    BillTally read, accepted, rejected;
    std::vector<BillPart> parts; // what was replaced, ascending by key
    std::vector<ProviderPart> providers; // ascending by name
    std::vector<RejectCount> rejectCounts; // ascending by reason, none of 0
    std::vector<Rejection> rejections; // the first kMostRejections, in the files' order
    std::vector<BillFinding> findings;
};

} // namespace gpuledger::ports
