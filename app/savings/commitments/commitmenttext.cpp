// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/commitments/commitmenttext.h"

#include "app/savings/commitments/commitmentlevel.h"

#include <cstdio>
#include <utility>

namespace gpuledger::savings {

namespace {

constexpr int kRateDecimals = 4, kMachineDecimals = 2;

// From the digits, so that large amounts keep all of theirs.
std::string commitmentDecimals(std::int64_t nanos, int decimals)
{
    __extension__ using Digits = __int128;
    Digits unit = base::Money::kNanosPerUnit;
    Digits parts = 1; // of the last decimal in a whole
    for (int i = 0; i < decimals; ++i) {
        unit /= 10;
        parts *= 10;
    }
    const Digits size = nanos < 0 ? -static_cast<Digits>(nanos) : static_cast<Digits>(nanos);
    const Digits rounded = (size + unit / 2) / unit;
    char text[48];
    std::snprintf(text, sizeof text, "%s%lld.%0*lld", nanos < 0 && rounded > 0 ? "-" : "",
                  static_cast<long long>(rounded / parts), decimals, static_cast<long long>(rounded % parts));
    return text;
}

std::string commitmentCurrency(const std::string &number, base::Currency currency)
{
    return currency.code().empty() ? number : number + ' ' + std::string(currency.code());
}

std::string commitmentFixed(double value, int decimals)
{
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    return text;
}

std::string inCommitmentAccount(const CommitmentDemand &demand)
{
    return demand.account.empty() ? std::string() : " in account " + demand.account;
}

double machinesOf(base::GpuTime level)
{
    return static_cast<double>(level.ticks) / static_cast<double>(kTicksPerMachineHour);
}

// ", partial upfront: 4000.0000 USD per machine"; empty: unknown.
std::string upfrontText(const CommitmentOffer &offer)
{
    if (!offer.payment)
        return {};
    if (*offer.payment == UpfrontPayment::None)
        return ", no upfront";
    return (*offer.payment == UpfrontPayment::All ? ", all upfront: " : ", partial upfront: ")
        + commitmentCurrency(commitmentDecimals(offer.upfront.nanos(), kRateDecimals), offer.upfront.currency())
        + " per machine";
}

// For the request: "Compute Savings Plan, no upfront, 12 months".
std::string termsText(const CommitmentOffer &offer)
{
    return (offer.name.empty() ? std::string("commitment") : offer.name) + upfrontText(offer)
        + (offer.termMonths > 0
               ? ", " + std::to_string(offer.termMonths) + (offer.termMonths > 1 ? " months" : " month")
               : std::string());
}

} // namespace

std::string commitmentRate(const base::Rate &rate)
{
    return commitmentCurrency(commitmentDecimals(rate.nanosPerHour(), kRateDecimals), rate.currency())
        + " per machine-hour";
}

std::string commitmentMachines(base::GpuTime level)
{
    const double machines = machinesOf(level);
    const bool isWhole = level.ticks % kTicksPerMachineHour == 0;
    return commitmentFixed(machines, isWhole ? 0 : kMachineDecimals);
}

RemarkTerm commitmentLevel(base::GpuTime level)
{
    return level.ticks % kTicksPerMachineHour == 0 ? countTerm(level.ticks / kTicksPerMachineHour)
                                                   : decimalTerm(machinesOf(level));
}

RemarkTerm commitmentTerms(const CommitmentOffer &offer)
{
    RemarkTerm what = offer.name.empty() ? remarkTerm({RemarkText::CommitmentOfUnknownKind, {}}) : textTerm(offer.name);
    if (offer.payment == UpfrontPayment::None)
        what = remarkTerm({RemarkText::CommitmentNoUpfront, {std::move(what)}});
    else if (offer.payment)
        what = remarkTerm({*offer.payment == UpfrontPayment::All ? RemarkText::CommitmentAllUpfront
                                                                 : RemarkText::CommitmentPartialUpfront,
                           {std::move(what), amountTerm(offer.upfront)}});
    if (offer.termMonths <= 0)
        return what;
    return remarkTerm({RemarkText::CommitmentWithTerm, {std::move(what), countTerm(offer.termMonths)}});
}

std::string commitmentTarget(const CommitmentDemand &demand)
{
    return demand.region.empty() ? demand.instanceType : demand.instanceType + " in " + demand.region;
}

std::string commitmentPurchase(const CommitmentDemand &demand, const CommitmentOffer &offer, base::GpuTime level,
                               const base::Money &perHour)
{
    const std::string machines = commitmentMachines(level) + " x " + commitmentTarget(demand);
    const std::string price =
        commitmentCurrency(commitmentDecimals(perHour.nanos(), kRateDecimals), perHour.currency());
    const std::string what =
        offer.whole ? machines + " (" + price + " per hour)" : price + " per hour, for " + machines;
    std::string text = "Buy a commitment (" + termsText(offer) + ") of " + what + inCommitmentAccount(demand);
    if (demand.cloud == "aws") // allowed: a cloud
        text += offer.whole ? ": Billing and Cost Management, Reservations"
                            : ": Billing and Cost Management, Savings Plans";
    else if (demand.cloud == "gcp") // allowed: a cloud
        text += ": Billing, Committed use discounts";
    else if (demand.cloud == "azure") // allowed: a cloud
        text += offer.whole ? ": Reservations" : ": Savings plans";
    return text + ". Check the price that the provider quotes first: it must not be above "
        + commitmentRate(offer.perMachineHour) + '.';
}

} // namespace gpuledger::savings
