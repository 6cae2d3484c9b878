// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/readamount.h"

#include "connectors/format/json.h"

namespace gpuledger::azure {

ReadAmount ReadAmount::in(const nlohmann::json &object, const char *key, base::Currency currency)
{
    const nlohmann::json &value = format::memberOf(object, key);
    if (value.is_null())
        return {};
    const auto amount = base::Decimal::parse(value.is_string() ? value.get_ref<const std::string &>() : std::string());
    if (!amount || !amount->toMoney(currency))
        return {false, std::nullopt};
    return {true, *amount};
}

} // namespace gpuledger::azure
