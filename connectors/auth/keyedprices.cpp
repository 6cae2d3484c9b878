// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/auth/keyedprices.h"

namespace gpuledger::auth {

using base::ErrorCode;
using base::Result;

KeyedPrices::KeyedPrices(const model::SourceSettings &settings, const KeyedSettings &keyed, ports::SecretStore &secrets,
                         const base::Clock &realClock, std::shared_ptr<http::HttpClient> client, KeyedTuning tuning,
                         KeyedApi::Refusal refusal, const KeyedPriceList &list)
    : m_name(settings.name)
    , m_realClock(realClock)
    , m_api(settings, keyed.api, secrets, std::move(client), std::move(tuning), refusal)
    , m_list(list)
{
}

Result<model::QuoteList> KeyedPrices::ask(const std::stop_token &stop)
{
    const auto body = m_api.get(m_list.path, {}, stop);
    GPULEDGER_TRY(body);
    return m_list.read(*body);
}

Result<ports::PricesTold> KeyedPrices::read(const ports::PricesAsked &, std::stop_token stop)
{
    auto quotes = ask(stop);
    GPULEDGER_TRY(quotes);
    if (const auto wrong = wrongClock(m_api.answerDate(), m_realClock.now(),
                                      "nobody knows when these prices were in force, and none was recorded"))
        return base::fail(*wrong);
    ports::PricesTold told;
    told.now = std::move(*quotes);
    return told;
}

Result<std::vector<ports::Finding>> KeyedPrices::probe(std::stop_token stop)
{
    const auto quotes = ask(stop);
    if (!quotes && quotes.error().code != ErrorCode::Forbidden)
        return base::fail(quotes.error());
    return std::vector{priceFinding(quotes.has_value(), m_list.right, "on-demand")};
}

ports::Finding priceFinding(bool isGiven, const std::string &right, const std::string &list)
{
    using Level = ports::Finding::Level;
    if (isGiven)
        return {Level::Good, ports::FindingText::RightGiven, {right}, {}, {}};
    return {Level::Missing, ports::FindingText::PricesWithheld, {right, list}, {}, {}};
}

} // namespace gpuledger::auth
