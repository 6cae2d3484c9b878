// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/chargeback.h"

#include <optional>
#include <string>
#include <string_view>

// The accounts of a closed month's journal, as the entry of the audit log that closed it keeps them. They are not among
// the rows of the month, which go out with its report. Pure; any thread.
namespace gpuledger::reports {

// Which accounts a month's journal is made by.
struct JournalAccounts {
    enum class Origin {
        Configured, // the month is open
        Kept, // of a closed month: those of its close, and the configuration says the same
        KeptOthers, // those of its close, and the configuration says something else by now
        NotKept, // those of the configuration: the close kept none, because no journal could be made
    };
    model::ChargebackSettings accounts;
    Origin origin = Origin::Configured;
};

// A JSON object; equal accounts have equal texts.
std::string textOf(const model::ChargebackSettings &accounts);
// Nothing: textOf() writes no such text.
std::optional<model::ChargebackSettings> accountsOf(std::string_view text);

} // namespace gpuledger::reports
