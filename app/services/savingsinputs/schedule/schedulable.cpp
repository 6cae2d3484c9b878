// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/schedule/schedulable.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

namespace gpuledger::services {

namespace {

// Names of what nobody needs at night.
constexpr std::array<std::string_view, 10> kOffHoursWords{"dev",     "devel", "development", "staging", "stage",
                                                          "sandbox", "test",  "testing",     "qa",      "playground"};

bool saysOffHours(std::string_view name)
{
    std::string word;
    bool found = false;
    for (std::size_t i = 0; i <= name.size(); ++i) {
        const auto c = i < name.size() ? static_cast<unsigned char>(name[i]) : static_cast<unsigned char>('-');
        if (std::isalnum(c)) {
            word += static_cast<char>(std::tolower(c));
            continue;
        }
        if (word == "prod" || word == "production")
            return false;
        found = found || std::find(kOffHoursWords.begin(), kOffHoursWords.end(), word) != kOffHoursWords.end();
        word.clear();
    }
    return found;
}

} // namespace

std::optional<savings::Remark> schedulableAs(const model::AttributedHolder &who)
{
    using model::WorkloadKind;
    using savings::Remark;
    using savings::RemarkText;
    if (who.what != model::SubjectKind::Pod || who.kind == WorkloadKind::Training || who.kind == WorkloadKind::Batch)
        return std::nullopt;
    if (who.kind == WorkloadKind::Notebook)
        return Remark{RemarkText::NotebookKind, {}};
    if (who.kind == WorkloadKind::Development)
        return Remark{RemarkText::DevelopmentKind, {}};
    if (saysOffHours(who.environment))
        return Remark{RemarkText::EnvironmentOf, {savings::textTerm(who.environment)}};
    if (saysOffHours(who.nameSpace))
        return Remark{RemarkText::NamespaceOf, {savings::textTerm(who.nameSpace)}};
    return std::nullopt;
}

} // namespace gpuledger::services
