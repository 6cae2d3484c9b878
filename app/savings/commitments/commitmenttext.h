// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/time/gputime.h"
#include "app/savings/commitments/commitments.h"

#include <string>

// What commitment proposals say in words of their own: names, and what to buy. Pure; any thread.
namespace gpuledger::savings {

std::string commitmentRate(const base::Rate &rate); // "20.2011 USD per machine-hour"
std::string commitmentMachines(base::GpuTime level); // machines at a time: "2", "1.75"
RemarkTerm commitmentLevel(base::GpuTime level); // the same as a quantity
RemarkTerm commitmentTerms(const CommitmentOffer &offer); // "Compute Savings Plan, no upfront, term in months: 12"
std::string commitmentTarget(const CommitmentDemand &demand); // "p5.48xlarge in us-east-1"

// What to buy, as text to hand over. `perHour`: the price of the level.
std::string commitmentPurchase(const CommitmentDemand &demand, const CommitmentOffer &offer, base::GpuTime level,
                               const base::Money &perHour);

} // namespace gpuledger::savings
