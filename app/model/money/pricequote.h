// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/time/time.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Prices of GPU machines, as a list or a cloud states them, and per unit. Plain values; pure; any thread.
namespace gpuledger::model {

// On which terms a price is offered or was paid. Commitment: paid under one whose term the bill does not say.
enum class PurchaseOption { OnDemand, Spot, OneYear, ThreeYears, Commitment, CapacityBlock, GpuCloud };
inline constexpr std::array kPurchaseOptions{
    PurchaseOption::OnDemand,   PurchaseOption::Spot,          PurchaseOption::OneYear, PurchaseOption::ThreeYears,
    PurchaseOption::Commitment, PurchaseOption::CapacityBlock, PurchaseOption::GpuCloud};
std::string_view toString(PurchaseOption purchase); // "on-demand", "1-year", …
std::optional<PurchaseOption> purchaseFrom(std::string_view text);

// How much of a commitment is paid at its start.
enum class UpfrontPayment { None, Partial, All };
std::string_view toString(UpfrontPayment payment); // "none", "partial", "all"
std::optional<UpfrontPayment> upfrontPaymentFrom(std::string_view text);

inline constexpr std::int64_t kMicroOfGpu = 1'000'000;

// What is known of the GPU of a price; absent = unknown, because the name is unknown or fits models that differ.
struct GpuIdentity {
    std::string model; // of the catalogue; empty: not just one
    std::optional<std::int64_t> memoryMib; // of one GPU: as the list says, else of the catalogue
    std::optional<std::int64_t> milliTflops; // 1e-3 dense 16-bit TFLOP/s of one GPU
};

// How often a machine of a spot offer is taken away.
struct QuoteInterruptions {
    std::string band; // of machines in a month, as published: "10-15%"; empty: measured
    double perHour = 0; // of running: measured, or that of the middle of the band
    std::string source; // of the band, or the files of the measured times
    base::Day seen; // the day of the band, or the newest one of these times
};

// The price of an hour of a whole machine: a fact, with its source.
struct PriceQuote {
    std::string provider, region, zone, machine; // empty: not stated
    std::string gpuName; // as the source names the GPU
    GpuIdentity gpu;
    std::int64_t microGpus = 0; // 1e-6 GPUs of the machine, above 0: 125,000 is an eighth of a GPU
    PurchaseOption purchase = PurchaseOption::OnDemand;
    base::Money perHour; // of the machine, above zero
    std::optional<base::Day> seen; // the day of the price, or that on which its list was read; empty: unknown
    std::string source;
    bool contracted = false; // the user's own price, from which no public discount is taken
    std::optional<std::int64_t> termMonths; // of a commitment; empty: not stated
    std::optional<UpfrontPayment> payment; // the same
    std::optional<base::Money> upfront; // for the machine, at the start; perHour has its part of an hour of the term
    std::shared_ptr<const QuoteInterruptions> interruptions; // null: not known, or no spot offer

    bool isPartOfGpu() const { return microGpus % kMicroOfGpu != 0; }
};

// perHour divided by what the machine has, rounded half away from zero to 1e-9. Absent: unknown, because the size of
// the GPU is unknown. A part of a GPU has a price per GPU-hour alone: which part of the memory it has is not listed.
std::optional<base::Money> perGpuHour(const PriceQuote &quote);
std::optional<base::Money> perGibHour(const PriceQuote &quote); // of GPU memory
std::optional<base::Money> perTflopHour(const PriceQuote &quote); // dense 16-bit TFLOP/s

// Why rows of a list give no quote.
enum class LeftOut {
    Unreadable, // a number, a name or the number of cells
    Twice, // the same offer, in the same list or in two of them
    NoGpu,
    OtherAccelerator,
    WithoutHost, // the price of GPUs apart from the machine that they must be in
    NoPrice,
    SpotCeiling, // a spot price that equals the on-demand price
    Placeholder, // exactly 1 per GPU, on demand and spot alike
    UnknownType, // a machine type, on the bills or in a list, whose number of GPUs the price book does not have
};
std::string leftOutText(LeftOut why, std::size_t count); // a sentence without its stop
std::string_view keyOf(LeftOut why); // for programs: "unreadable", "twice", …

struct QuoteList {
    std::vector<PriceQuote> quotes;
    std::map<LeftOut, std::size_t> leftOut; // counts

    void add(QuoteList more);
};

} // namespace gpuledger::model
