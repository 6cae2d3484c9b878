// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/plansource.h"

#include <filesystem>
#include <string>

namespace gpuledger::infracost {

// Breakdowns of Infracost: a file, or all *.json of a folder, by name. Threads and errors: see ports::PlanSource.
class InfracostSource final : public ports::PlanSource {
public:
    InfracostSource(std::string name, std::filesystem::path path);

    const std::string &name() const override { return m_name; }
    [[nodiscard]] base::Result<std::vector<model::Plan>> read(std::stop_token stop) override;
    [[nodiscard]] base::Result<ports::ProbeReport> probe(std::stop_token stop) override;

private:
    std::string m_name;
    std::filesystem::path m_path;
};

} // namespace gpuledger::infracost
