// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/money/cloudcommitment.h"
#include "connectors/format/json.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// What the answers of Cost Explorer about commitments have in common. No calls; plain values and functions.
namespace gpuledger::aws {

struct AskedCommitments {
    base::TimeRange days; // whole UTC days
    base::UtcTime now; // what ended by then is left out
    base::Currency currency; // of all amounts, because the answers name none
};

// A page, with its numbers as texts.
struct CommitmentPage {
    nlohmann::json root;
    nlohmann::json entries; // an array
    std::string next; // token; empty after the last page
};
// Fails with Parse (no JSON, not such a list, or a token that is not a text).
[[nodiscard]] base::Result<CommitmentPage> commitmentPageOf(const std::string &body, const char *entriesKey,
                                                            const char *tokenKey);

// The attributes of an entry. AWS writes their keys in several ways: "InstanceType", "instanceType", "INSTANCE_TYPE".
class CommitmentAttributes {
public:
    explicit CommitmentAttributes(const nlohmann::json &attributes);

    bool has(std::string_view key) const { return m_texts.contains(key); }
    // Printable. The key in lower case, without underscores; empty where there is none, or where it says that it limits
    // nothing.
    std::string text(std::string_view key) const;
    std::optional<base::UtcTime> time(std::string_view key) const;

private:
    std::map<std::string, std::string, std::less<>> m_texts;
};

// "Compute, 3yr": those that are not empty.
std::string joinedTerms(const std::vector<std::string> &terms);

// A number of an entry. One that is there and can't be read makes most entries unreadable.
struct CommitmentNumber {
    bool isReadable = true;
    std::optional<base::Decimal> value; // std::nullopt: not there

    static CommitmentNumber of(const std::string &text);
    static CommitmentNumber of(const nlohmann::json &object, const char *key);
    // The same as an amount: what base::Money can't hold can't be read, and what is negative is unknown.
    static CommitmentNumber amountOf(CommitmentNumber number, base::Currency currency);
};

// What was used of a total, or a percentage, as a share. std::nullopt: neither is known, or it is not a share.
std::optional<double> commitmentShare(const CommitmentNumber &used, const CommitmentNumber &total,
                                      const CommitmentNumber &percentage);

struct CommitmentDays {
    base::Day first, last; // both included
};
// The days that an answer is about: those that were asked if it names none. std::nullopt: it names others.
std::optional<CommitmentDays> commitmentDaysOf(const nlohmann::json &period, const AskedCommitments &asked);

// What one question has answered so far.
struct CommitmentPart {
    std::vector<model::CloudCommitment> commitments;
    std::vector<model::CommitmentCoverage> coverage;
    std::uint64_t rejected = 0; // entries that can't be read, or that come a second time
    std::set<std::string> seen; // what tells them apart

    // Adds it, unless it ended; std::nullopt, one without known days, and one that is there are rejected.
    void add(std::optional<model::CloudCommitment> commitment, const std::optional<CommitmentDays> &days,
             const AskedCommitments &asked);
};

} // namespace gpuledger::aws
