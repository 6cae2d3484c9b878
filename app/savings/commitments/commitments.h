// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/result.h"
#include "app/base/time/gputime.h"
#include "app/base/time/time.h"
#include "app/savings/prices/pricequote.h"
#include "app/savings/proposals/basis.h"
#include "app/savings/proposals/proposal.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What commitments (savings plans, reservations, committed use) would save, and how well the existing ones are used.
// Pure; any thread.
namespace gpuledger::savings {

inline constexpr std::int64_t kLeastCommitmentDays = 14; // of known demand; also the least for resampled weeks
inline constexpr int kCommitmentDraws = 1000; // of as many weeks as there are, with replacement
inline constexpr base::Seconds kSoonExpired{90 * 86400};

// A committed price for one machine of a type. One that is not above zero is unknown.
struct CommitmentOffer {
    std::string name; // "Compute Savings Plan"
    std::int64_t termMonths = 0; // 0: unknown
    std::optional<UpfrontPayment> payment; // std::nullopt: unknown
    base::Rate perMachineHour; // with upfront payments spread over the term
    bool whole = false; // sold by the machine; false: any amount of money per hour
    std::optional<Remark> source; // where the price is from, and of which day
    base::Money upfront = {}; // for one machine, if some of it is paid at the start
};

// Machines of one type in one region that were paid for on demand.
struct CommitmentDemand {
    std::string cloud, account, instanceType, region; // empty: unknown, or all accounts
    base::Rate onDemand; // per machine-hour, as it was paid
    std::optional<RemarkTerm> onDemandSource;
    // Machine time (GpuTime::wholeDevice of an hour = one machine) of consecutive hours; std::nullopt: not known.
    std::vector<std::optional<base::GpuTime>> hours;
    base::GpuTime covered; // machine time that commitments covered in the known hours
    base::Money coveredCost; // its amortized cost
    base::Money unusedPerMonth; // of the account's commitments, whatever they are for; in the currency of `onDemand`
    std::vector<CommitmentOffer> offers;
    std::optional<Remark> whyNoOffers; // for excludedBy; std::nullopt: no price is known
    std::vector<Assumption> assumptions; // about how the demand was found
    std::vector<Remark> risks;
    std::vector<std::string> resources; // ids of the facts
};

// A commitment that is paid for, over some days.
struct ExistingCommitment {
    std::string id, name, type; // as the bill has them
    std::int64_t days = 0; // that the amounts are for
    base::Money used, unused; // amortized
    std::optional<base::GpuTime> usedTime, boughtTime; // machine time; std::nullopt: sold as money, or unknown
    std::optional<base::Money> onDemandEquivalent; // of what it covered; std::nullopt: not known
    std::optional<base::UtcTime> end; // std::nullopt: the bill does not give it
    bool ended = false; // the last days of the range have nothing of it any more
};

struct CommitmentInput {
    base::UtcTime until{}; // the end of the past: what ends soon after it is a risk
    base::UtcTime from{}; // of the first hour of each demand
    std::vector<CommitmentDemand> demand;
    std::vector<ExistingCommitment> existing;
    std::uint64_t seed = 1;
    int demandPercent = 100; // of the past demand, expected during the term
    std::int64_t leastDays = kLeastCommitmentDays; // of known demand
};

// Shares of 0 to 1 (definitions.md, Savings); std::nullopt: the divisor is not above zero.
std::optional<double> commitmentCoverage(base::GpuTime used, base::GpuTime needed);
std::optional<double> commitmentUtilization(base::GpuTime used, base::GpuTime bought);
std::optional<double> effectiveSavingsRate(const base::Money &paid, const base::Money &onDemandEquivalent);

// Of one existing commitment: its money and its figures; never counted. Fails with Overflow, or with InvalidArgument if
// its amounts are of different currencies.
[[nodiscard]] base::Result<Proposal> existingProposal(const ExistingCommitment &existing, base::UtcTime until);

// One proposal for each demand, times `demandPercent`, which then is also the spend: the level of the offer with the
// largest p50, and what it would have saved in the resampled weeks; with fewer than three weeks all three are the mean.
// The other offers are in its evidence, by falling p50; those in another currency come last. One whose
// amounts do not fit has none and does not count. One for each existing commitment, which never counts: what is paid
// for until its end can't be saved. Fails with InvalidArgument (negative demand), and with Overflow if the money of an
// existing one does not fit.
[[nodiscard]] base::Result<std::vector<Proposal>> proposeCommitments(const CommitmentInput &input);

// What the figures of the proposal with this id were computed from. Rows: by day, the machine time that the commitment
// would have covered, what it cost on demand, and that less what the commitment costs. std::nullopt: there is no such
// demand, or nothing to buy for it. Fails as proposeCommitments().
[[nodiscard]] base::Result<std::optional<ProposalBasis>> commitmentBasis(const CommitmentInput &input,
                                                                         const std::string &id);

} // namespace gpuledger::savings
