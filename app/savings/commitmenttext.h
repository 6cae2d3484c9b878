// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/gputime.h"
#include "app/base/money.h"
#include "app/base/time.h"
#include "app/savings/commitments.h"

#include <string>

// The texts of commitment proposals. Pure; any thread.
namespace gpuledger::savings {

std::string commitmentAmount(const base::Money &amount); // "1234.50 USD", rounded half away from zero
std::string commitmentRate(const base::Rate &rate); // "20.2011 USD per machine-hour"
std::string commitmentMachines(base::GpuTime level); // machines at a time: "2", "1.75"
std::string commitmentHours(base::GpuTime time); // "412.0"
std::string commitmentShare(double share); // "87.5 %"
std::string commitmentDate(base::UtcTime at); // "2026-11-26"
std::string commitmentTerms(const CommitmentOffer &offer); // "Compute Savings Plan, 1 year, no upfront"
std::string commitmentTarget(const CommitmentDemand &demand); // "p5.48xlarge in us-east-1"

// What to buy, as text to hand over. `perHour`: the price of the level.
std::string commitmentPurchase(const CommitmentDemand &demand, const CommitmentOffer &offer, base::GpuTime level,
                               const base::Money &perHour);

} // namespace gpuledger::savings
