// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/ports/billtally.h"
#include "app/ports/importreport.h"
#include "connectors/format/focus/focuscolumns.h"

#include <array>
#include <bitset>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpuledger::focus {

// Providers whose files differ, identified by the provider name in the bill.
enum class ProviderKind { Other, Aws, Microsoft, Google, Oracle };
ProviderKind providerKind(std::string_view name);

inline constexpr std::size_t kFindingTexts = static_cast<std::size_t>(ports::BillFindingText::NoLines) + 1;

// Observations about one line.
struct LineNotes {
    struct ColumnNote {
        ports::BillFindingText text{};
        Column column{};
        std::string example;
    };
    std::bitset<kFindingTexts> met;
    std::vector<ColumnNote> columns;
    std::optional<base::Decimal> credits; // sum of x_Credits

    void meet(ports::BillFindingText text) { met.set(static_cast<std::size_t>(text)); }
    void clear()
    {
        met.reset();
        columns.clear();
        credits.reset();
    }
};

// Counts the observations about accepted lines, and their cost, by provider. Memory is bounded: beyond kMostProviders
// names, further ones are counted without a name.
class FocusNotes {
public:
    static constexpr std::size_t kMostProviders = 200;

    // Fails with Overflow.
    [[nodiscard]] base::Result<void> add(const LineNotes &notes, const std::string &provider,
                                         const ports::RowMoney &money);
    void fileHas(const ColumnMap &columns); // missing columns and version of each file
    std::vector<ports::BillFinding> findings(bool anyLineRead) const;
    std::vector<ports::ProviderPart> providers() const;

private:
    struct Amount {
        base::Decimal sum;
        std::uint64_t lines = 0;
    };
    struct Examples {
        std::string example;
        std::uint64_t lines = 0;
    };
    struct Provider {
        std::array<std::uint64_t, kFindingTexts> lines{};
        std::map<std::pair<ports::BillFindingText, Column>, Examples> columns;
        std::map<std::pair<ports::BillFindingText, base::Currency>, Amount> amounts;
        ports::BillTally accepted;
    };

    Provider &provider(const std::string &name);
    static base::Result<void> addAmount(Provider &to, ports::BillFindingText text, base::Currency currency,
                                        const base::Decimal &amount);
    static void tell(const std::string &name, const Provider &from, std::vector<ports::BillFinding> &out);

    std::map<std::string, Provider> m_providers;
    std::set<Column> m_missing;
    bool m_ahead = false;
};

} // namespace gpuledger::focus
