// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/ports/pricesource.h"
#include "connectors/auth/keyedapi.h"

#include <memory>
#include <string>
#include <vector>

namespace gpuledger::auth {

// A price list that is the answer to one question. Of static storage.
struct KeyedPriceList {
    const char *provider; // as price lists name it
    const char *path;
    const char *right; // for people: "GET /v2/catalog/gpus"
    // All of it; fails with Parse and TooMuch. Pure.
    base::Result<model::QuoteList> (*read)(const std::string &body);
};

// The one list of prices on demand that such a service tells, without a history. Threads and errors: see
// ports::PriceSource; read() also fails with the errors of KeyedApi::get.
class KeyedPrices final : public ports::PriceSource {
public:
    // `realClock` is compared with the server's. It and `secrets` must outlive the source.
    KeyedPrices(const model::SourceSettings &settings, const KeyedSettings &keyed, ports::SecretStore &secrets,
                const base::Clock &realClock, std::shared_ptr<http::HttpClient> client, KeyedTuning tuning,
                KeyedApi::Refusal refusal, const KeyedPriceList &list);

    const std::string &name() const override { return m_name; }
    std::string provider() const override { return m_list.provider; }
    std::vector<std::string> lists() const override { return {{}}; }
    [[nodiscard]] base::Result<ports::PricesTold> read(const ports::PricesAsked &asked, std::stop_token stop) override;
    [[nodiscard]] base::Result<std::vector<ports::Finding>> probe(std::stop_token stop) override;

private:
    [[nodiscard]] base::Result<model::QuoteList> ask(const std::stop_token &stop);

    std::string m_name;
    const base::Clock &m_realClock;
    KeyedApi m_api;
    KeyedPriceList m_list;
};

// What a connection test says of a right to read prices, which are those of `list` ("spot").
ports::Finding priceFinding(bool isGiven, const std::string &right, const std::string &list);

} // namespace gpuledger::auth
