// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/settings.h"
#include "app/ports/claimsource.h"
#include "connectors/claims/claimsfile.h"

#include <filesystem>
#include <memory>
#include <string>

namespace gpuledger::claims {

// Claims in CSV: a file, or all *.csv of a folder, by name. Threads and errors: see ports::ClaimSource.
class ClaimsSource final : public ports::ClaimSource {
public:
    ClaimsSource(std::string name, std::filesystem::path path, ColumnNames columns);

    const std::string &name() const override { return m_name; }
    [[nodiscard]] base::Result<std::vector<model::SavingsClaim>> read(std::stop_token stop) override;
    [[nodiscard]] base::Result<ports::ProbeReport> probe(std::stop_token stop) override;

private:
    std::string m_name;
    std::filesystem::path m_path;
    ColumnNames m_columns;
};

// For the catalogue. Fails with InvalidConfig.
[[nodiscard]] base::Result<std::unique_ptr<ports::ClaimSource>> makeClaims(const model::SourceSettings &settings);

} // namespace gpuledger::claims
