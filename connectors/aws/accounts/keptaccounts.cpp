// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/accounts/keptaccounts.h"

#include "app/base/text/log.h"
#include "connectors/format/json.h"

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;

namespace {

constexpr const char *kKeptAccounts = "account names";

struct KeptAccounts {
    base::UtcTime asked{}; // the epoch: never
    AccountNames names;

    // A clock that was far ahead counts as none.
    bool isFresh(base::UtcTime now, base::Seconds refresh) const
    {
        return asked != base::UtcTime{} && now < asked + refresh && asked <= now + refresh;
    }
};

std::string accountsText(const KeptAccounts &kept)
{
    return nlohmann::json{{"asked", base::toUnix(kept.asked)}, {"names", kept.names}}.dump();
}

// What is not of accountsText() is left out.
KeptAccounts accountsFrom(const std::string &text)
{
    KeptAccounts kept;
    const auto stored = format::parseJson(text);
    if (!stored)
        return kept;
    if (const auto &asked = format::memberOf(*stored, "asked"); asked.is_number_integer())
        kept.asked = base::fromUnix(asked.get<std::int64_t>());
    const auto &names = format::memberOf(*stored, "names");
    for (const auto &[number, name] : names.items()) {
        if (names.is_object() && name.is_string())
            kept.names.emplace(number, name.get<std::string>());
    }
    return kept;
}

} // namespace

Result<AccountNames> knownAccountNames(AwsApi &api, ports::BillSink &sink, base::UtcTime now, base::Seconds refresh,
                                       const std::stop_token &stop)
{
    const auto text = sink.kept(kKeptAccounts);
    GPULEDGER_TRY(text);
    KeptAccounts kept = accountsFrom(*text);
    if (kept.isFresh(now, refresh))
        return std::move(kept.names);
    auto told = readAccountNames(api, stop);
    if (!told && (told.error().code == ErrorCode::Cancelled || stop.stop_requested()))
        return base::fail(ErrorCode::Cancelled, "stopped");
    if (told)
        kept.names = std::move(told->names);
    else
        base::log::warning("costs", "accounts keep the names that they have: " + told.error().text);
    kept.asked = now;
    GPULEDGER_TRY(sink.keep(kKeptAccounts, accountsText(kept)));
    return std::move(kept.names);
}

} // namespace gpuledger::aws
