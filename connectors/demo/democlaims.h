// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/ports/claimsource.h"

#include <string>

namespace gpuledger::demo {

// What two tools tell the demo company that they saved last month. Threads and errors: see ports::ClaimSource.
class DemoClaims final : public ports::ClaimSource {
public:
    // `clock` must outlive it.
    DemoClaims(std::string name, const base::Clock &clock);

    const std::string &name() const override { return m_name; }
    [[nodiscard]] base::Result<std::vector<model::SavingsClaim>> read(std::stop_token stop) override;
    [[nodiscard]] base::Result<ports::ProbeReport> probe(std::stop_token stop) override;

private:
    std::string m_name;
    const base::Clock &m_clock;
};

} // namespace gpuledger::demo
