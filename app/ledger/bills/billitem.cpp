// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/bills/billitem.h"

#include "app/base/text/text.h"
#include "app/base/time/gputime.h"
#include "app/ledger/prices/gpufamily.h"
#include "app/model/money/billdays.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gpuledger::ledger {

using model::BillLine;
using model::LedgerCategory;

namespace {

__extension__ using Wide = __int128;

bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

const std::string *extraOf(const BillLine &line, std::string_view name)
{
    const auto it = std::find_if(line.extra.begin(), line.extra.end(),
                                 [&](const model::ExtraColumn &column) { return column.name == name; });
    return it == line.extra.end() ? nullptr : &it->value;
}

// Looks up a key of SkuPriceDetails, ignoring case and prefix ("InstanceType", "instanceType", "x_InstanceType").
const std::string *detailOf(const BillLine &line, std::string_view lowerName)
{
    for (const auto &[key, value] : line.product.skuDetails) {
        const std::string lower = lowerCase(key);
        if (lower == lowerName || (lower.starts_with("x_") && std::string_view(lower).substr(2) == lowerName))
            return &value;
    }
    return nullptr;
}

// The instance type found in text such as "USE1-BoxUsage:p4d.24xlarge" or "$32.77 per On Demand p4d.24xlarge Instance
// Hour".
const PriceBook::Machine *machineIn(std::string_view text, const PriceBook &prices)
{
    const auto ends = [](char c) {
        return c == ' ' || c == ':' || c == '/' || c == ',' || c == '(' || c == ')' || c == ';';
    };
    std::size_t from = 0;
    while (from < text.size()) {
        std::size_t to = from;
        while (to < text.size() && !ends(text[to]))
            ++to;
        if (to - from > 3) {
            if (const auto *machine = prices.machine(text.substr(from, to - from)))
                return machine;
        }
        from = to + 1;
    }
    return nullptr;
}

// As the list spells it: meters of Azure leave out "Standard_" and have blanks, SageMaker adds "ml.".
const PriceBook::Machine *machineOf(std::string_view cloud, std::string_view text, const PriceBook &prices)
{
    if (const auto *machine = prices.machine(text))
        return machine;
    if (cloud == "aws" && text.starts_with("ml.")) // allowed: a cloud
        return prices.machine(text.substr(3));
    if (cloud != "azure") // allowed: a cloud
        return nullptr;
    std::string name(text);
    for (const std::string_view end : {" Spot", " Low Priority"}) {
        if (name.ends_with(end))
            name.resize(name.size() - end.size());
    }
    std::replace(name.begin(), name.end(), ' ', '_');
    return prices.machine("Standard_" + name);
}

// A machine whose type the list does not have, by the family of the type.
void findFamily(const BillLine &line, BillItem &item)
{
    if (item.machine || item.gpus > 0)
        return;
    if (!item.instanceType.empty()) {
        item.unknownType = !gpuTypeIn(item.cloud, item.instanceType).empty();
        return;
    }
    for (const std::string *text :
         {extraOf(line, "x_UsageType"), extraOf(line, "x_SkuMeterName"), &line.product.skuMeter, &line.description,
          &line.resource.type, extraOf(line, "x_SkuMeterSubcategory")}) {
        item.instanceType = text ? gpuTypeIn(item.cloud, *text) : std::string();
        item.unknownType = !item.instanceType.empty();
        if (item.unknownType)
            return;
    }
}

void findMachine(const BillLine &line, const PriceBook &prices, BillItem &item)
{
    for (const std::string *text : {detailOf(line, "instancetype"), extraOf(line, "x_InstanceType")}) {
        if (text && !text->empty()) {
            item.machine = machineOf(item.cloud, *text, prices);
            const bool isOther = !item.machine || text->starts_with("ml."); // not the type of a node
            item.instanceType = lowerCase(isOther ? *text : item.machine->instanceType);
            break;
        }
    }
    if (const std::string *count = detailOf(line, "gpucount"))
        item.gpus = std::max<std::int64_t>(0, base::parseInt(*count).value_or(0));
    if (!item.instanceType.empty())
        return;
    for (const std::string *text : {extraOf(line, "x_UsageType"), extraOf(line, "x_SkuMeterName"),
                                    &line.product.skuMeter, &line.description, &line.resource.type}) {
        if (text && item.machine == nullptr)
            item.machine = machineOf(item.cloud, *text, prices);
        if (text && item.machine == nullptr)
            item.machine = machineIn(*text, prices);
    }
    if (item.machine)
        item.instanceType = lowerCase(item.machine->instanceType);
}

LedgerCategory categoryOfService(const BillLine &line, bool timed)
{
    static constexpr std::array<std::pair<std::string_view, LedgerCategory>, 7> kCategories{{
        {"compute", LedgerCategory::Compute},
        {"storage", LedgerCategory::Storage},
        {"network", LedgerCategory::Network},
        {"database", LedgerCategory::Database},
        {"ai and machine", LedgerCategory::Ai},
        {"containers", LedgerCategory::Compute},
        {"virtual machine", LedgerCategory::Compute},
    }};
    if (contains(lowerCase(line.product.serviceName), "support"))
        return LedgerCategory::Support;
    const std::string said = lowerCase(line.product.serviceCategory);
    for (const auto &[name, category] : kCategories) {
        if (!said.starts_with(name))
            continue;
        const std::string unit = lowerCase(line.consumedQuantity.unit);
        if (category != LedgerCategory::Compute || timed || !unit.starts_with("g"))
            return category;
        // Providers list a machine's disks and traffic under the compute service.
        return contains(unit, "mo") ? LedgerCategory::Storage : LedgerCategory::Network;
    }
    return LedgerCategory::Other;
}

LedgerCategory categoryOf(const BillLine &line, bool timed)
{
    switch (line.category) {
    case model::ChargeCategory::Purchase:
        return LedgerCategory::Purchase;
    case model::ChargeCategory::Tax:
        return LedgerCategory::Tax;
    case model::ChargeCategory::Credit:
        return LedgerCategory::Credit;
    case model::ChargeCategory::Adjustment:
        return LedgerCategory::Adjustment;
    case model::ChargeCategory::Usage:
        break;
    }
    if (line.commitment.status == model::UseStatus::Unused || line.capacityReservation == model::UseStatus::Unused)
        return LedgerCategory::Commitment;
    return categoryOfService(line, timed);
}

} // namespace

std::int64_t secondsOfUnit(std::string_view unit)
{
    const std::string lower = lowerCase(unit);
    static constexpr std::array<std::pair<std::string_view, std::int64_t>, 12> kUnits{{
        {"hours", 3600},
        {"hour", 3600},
        {"hrs", 3600},
        {"hr", 3600},
        {"h", 3600},
        {"instance hours", 3600},
        {"1 hour", 3600},
        {"seconds", 1},
        {"second", 1},
        {"minutes", 60},
        {"minute", 60},
        {"days", 86400},
    }};
    for (const auto &[name, seconds] : kUnits) {
        if (lower == name)
            return seconds;
    }
    return 0;
}

std::optional<std::int64_t> gpuTicksOf(const store::BilledItem &billed, const BillItem &item)
{
    const std::int64_t gpus = item.gpus > 0       ? item.gpus
        : item.machine && item.machine->wholeGpus ? item.machine->devices
                                                  : 0;
    if (!billed.quantity || *billed.quantity <= 0 || item.secondsPerUnit == 0 || gpus == 0)
        return std::nullopt;
    constexpr Wide kFits = std::int64_t{1} << 62;
    const Wide millionths = static_cast<Wide>(*billed.quantity) * item.secondsPerUnit * base::GpuTime::kTicksPerSecond;
    if (millionths / 1'000'000 >= kFits / gpus + 1)
        return std::nullopt;
    const Wide ticks = millionths * gpus / 1'000'000;
    return ticks < kFits ? std::optional(static_cast<std::int64_t>(ticks)) : std::nullopt;
}

std::vector<std::string> segmentsOf(std::string_view lowerCaseId)
{
    std::vector<std::string> segments;
    std::string current;
    for (const char c : lowerCaseId) {
        if (c != '/' && c != ':') {
            current += c;
        } else if (!current.empty()) {
            segments.push_back(std::move(current));
            current.clear();
        }
    }
    if (!current.empty())
        segments.push_back(std::move(current));
    return segments;
}

BillItem describe(const BillLine &line, const PriceBook &prices)
{
    BillItem item;
    item.secondsPerUnit = secondsOfUnit(line.consumedQuantity.unit);
    const bool noUnit = line.consumedQuantity.unit.empty() && line.pricingQuantity.unit.empty();
    const bool unused =
        line.commitment.status == model::UseStatus::Unused || line.capacityReservation == model::UseStatus::Unused;
    item.timed = line.category == model::ChargeCategory::Usage && !unused
        && (item.secondsPerUnit > 0 || secondsOfUnit(line.pricingQuantity.unit) > 0 || noUnit);
    item.category = categoryOf(line, item.timed);
    item.cloud = model::cloudOfProvider(line.product.provider);
    item.resource = lowerCase(line.resource.id);
    item.resourceName = lowerCase(line.resource.name);
    item.segments = segmentsOf(item.resource);
    item.region = lowerCase(line.resource.regionId);
    if (item.timed) {
        findMachine(line, prices, item);
        findFamily(line, item);
    }
    return item;
}

} // namespace gpuledger::ledger
