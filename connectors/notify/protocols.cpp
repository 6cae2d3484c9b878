// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/notify/protocols.h"

#include <nlohmann/json.hpp>

namespace gpuledger::notify {

std::string jsonText(const nlohmann::json &value)
{
    return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

nlohmann::json moneyJson(const base::Money &amount)
{
    return {{"amount", amount.toDecimal()}, {"currency", std::string(amount.currency().code())}};
}

} // namespace gpuledger::notify
