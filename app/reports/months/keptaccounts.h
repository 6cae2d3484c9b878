// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/money/chargeback.h"

#include <optional>
#include <string>
#include <string_view>

// The accounts of a closed month's journal, as stored in the audit-log entry that closed it. They are not among the
// rows of the month, which are included in its report. Pure; any thread.
namespace gpuledger::reports {

// The accounts that a month's journal is made with.
struct JournalAccounts {
    enum class Origin {
        Configured, // the month is open
        Kept, // for a closed month: those of its close, which equal the configured ones
        KeptOthers, // those of its close, which differ from the configured ones by now
        NotKept, // the configured ones: the close stored none, because no journal could be made
    };
    model::ChargebackSettings accounts;
    Origin origin = Origin::Configured;
};

// A JSON object; equal accounts have equal texts.
std::string textOf(const model::ChargebackSettings &accounts);
// std::nullopt: not a text written by textOf().
std::optional<model::ChargebackSettings> accountsOf(std::string_view text);

} // namespace gpuledger::reports
