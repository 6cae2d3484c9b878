// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/time/time.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

// What an hour of each instance type costs, as the user writes it down: CoreWeave tells no prices. Plain values.
namespace gpuledger::coreweave {

// The price of an instance type from one day on.
struct TypeRate {
    base::Money perHour; // of the whole machine, above zero
    std::int64_t gpus = 0; // of the machine; 0: it has none
    std::string gpuModel; // printable; empty: not stated
};

class RateCard {
public:
    // CSV with the columns machine, gpus, currency and per_hour (of the machine), and possibly gpu_model, from (the
    // first UTC day with this price; empty: always) and provider, of which all but CoreWeave's rows are left out: a
    // file of own offers (savings::readOwnOffers) serves, too. Fails with Parse, and names the line: a column that is
    // missing, a row that can't be read, or two rows for the same type and day.
    [[nodiscard]] static base::Result<RateCard> parse(std::string_view csv);
    // Fails with NotFound, Forbidden or TooMuch, too.
    [[nodiscard]] static base::Result<RateCard> read(const std::filesystem::path &file);

    // Null: it has no price on that day. Types are compared as they are written.
    const TypeRate *rateOf(const std::string &type, base::Day day) const;

private:
    std::map<std::string, std::map<base::Day, TypeRate>> m_rates; // by type and first day
};

} // namespace gpuledger::coreweave
