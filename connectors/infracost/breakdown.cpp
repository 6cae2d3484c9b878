// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/infracost/breakdown.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/format/json.h"
#include "connectors/format/numbertext.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace gpuledger::infracost {

using base::ErrorCode;
using base::Result;
using model::PlannedUse;
using model::PurchaseOption;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kLongestName = 256; // bytes
constexpr std::size_t kMostResources = 100'000;
constexpr std::string_view kMachineStart = "Instance usage (", kGpuStart = "NVIDIA ", kCustomStart = "custom instance ",
                           kCustomCpu = "custom instance cpu", kCustomMachine = "custom";

// How Terraform's names of resources begin, in a module, too: "module.ml.aws_instance.gpu[0]".
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kProviders{
    {{"aws_", "aws"}, {"google_", "gcp"}, {"azurerm_", "azure"}}};

std::string lowerText(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
    return out;
}

std::string nameIn(const Json &object, const char *key)
{
    return base::printableLine(format::textOf(object, key), kLongestName);
}

// The last one of a name: modules are called as anyone likes.
std::string cloudOf(const Json &resource)
{
    std::string type = format::textOf(resource, "resourceType");
    const std::string text = '.' + (type.empty() ? format::textOf(resource, "name") : std::move(type));
    std::string cloud;
    std::size_t last = 0;
    for (const auto &[start, name] : kProviders) {
        const std::size_t at = text.rfind('.' + std::string(start));
        if (at == std::string::npos || (!cloud.empty() && at < last))
            continue;
        cloud = name;
        last = at;
    }
    return cloud;
}

// What a component is, by its name: "Instance usage (Linux/UNIX, on-demand, p5.48xlarge)".
struct Component {
    std::string machine; // empty: it is none
    PurchaseOption purchase = PurchaseOption::OnDemand;
    bool isTime = true; // its quantity is that of machines
};

PurchaseOption purchaseIn(const std::string &lower)
{
    for (const std::string_view word : {"spot", "preemptible", "low priority"}) {
        if (lower.find(word) != std::string::npos)
            return PurchaseOption::Spot;
    }
    return lower.find("reserved") == std::string::npos ? PurchaseOption::OnDemand : PurchaseOption::Commitment;
}

Component componentOf(const std::string &name)
{
    Component out;
    const std::string lower = lowerText(name);
    out.purchase = purchaseIn(lower.substr(std::min(lower.find('('), lower.size())));
    if (lower.starts_with(kCustomStart)) {
        out.machine = kCustomMachine;
        out.isTime = lower.starts_with(kCustomCpu);
    } else if (name.starts_with(kMachineStart) && name.ends_with(')')) {
        const std::string inner = name.substr(kMachineStart.size(), name.size() - kMachineStart.size() - 1);
        const std::size_t comma = inner.rfind(", ");
        out.machine = comma == std::string::npos ? inner : inner.substr(comma + 2);
    }
    return out;
}

// The machines of one type in a resource.
struct Key {
    std::string resource, cloud, machine;
    PurchaseOption purchase = PurchaseOption::OnDemand;
    std::string gpuName;
    auto operator<=>(const Key &) const = default;
};
struct Use {
    std::optional<base::Decimal> hours = base::Decimal(), gpuHours = base::Decimal(), cost = base::Decimal();
};
using Uses = std::map<Key, Use>;

class Reader {
public:
    Reader(std::string file, base::Currency currency)
        : m_file(std::move(file))
        , m_currency(currency)
    {
    }

    Result<Uses> read(const Json &breakdown)
    {
        Uses uses;
        const Json &resources = format::memberOf(breakdown, "resources");
        if (!resources.is_array() && !resources.is_null())
            return base::fail(ErrorCode::Parse, m_file + " can't be read: resources are no list",
                              base::Remedy::WriteBreakdown);
        for (std::size_t i = 0; i < resources.size(); ++i)
            GPULEDGER_TRY(add(resources[i], nameIn(resources[i], "name"), cloudOf(resources[i]), uses));
        return uses;
    }
    Result<PlannedUse> planned(const Use &use) const
    {
        PlannedUse out{use.hours, std::nullopt};
        if (!use.cost)
            return out;
        const auto cost = use.cost->toMoney(m_currency);
        if (!cost)
            return base::fail(ErrorCode::Parse, m_file + " can't be read: a cost is too large");
        out.cost = *cost;
        return out;
    }

private:
    // The components of one level belong together; a launch template is a resource inside that of its group.
    Result<void> add(const Json &resource, const std::string &name, const std::string &cloud, Uses &uses)
    {
        if (++m_resources > kMostResources)
            return base::fail(ErrorCode::TooMuch, m_file + " has more than 100,000 resources");
        GPULEDGER_TRY(addComponents(format::memberOf(resource, "costComponents"), name, cloud, uses));
        const Json &inner = format::memberOf(resource, "subresources");
        for (std::size_t i = 0; inner.is_array() && i < inner.size(); ++i)
            GPULEDGER_TRY(add(inner[i], name, cloud, uses));
        return {};
    }

    Result<void> addComponents(const Json &components, const std::string &name, const std::string &cloud, Uses &uses)
    {
        const auto eachOf = [&](const auto &take) -> Result<void> {
            for (std::size_t i = 0; components.is_array() && i < components.size(); ++i)
                GPULEDGER_TRY(take(components[i], format::textOf(components[i], "name")));
            return {};
        };
        Key key;
        GPULEDGER_TRY(eachOf([&](const Json &, const std::string &component) -> Result<void> {
            if (key.gpuName.empty() && component.starts_with(kGpuStart))
                key.gpuName = base::printableLine(component.substr(0, component.find(" (")), kLongestName);
            return {};
        }));
        return eachOf([&](const Json &one, const std::string &component) -> Result<void> {
            const bool isGpu = component.starts_with(kGpuStart);
            const Component kind = componentOf(component);
            if (kind.machine.empty() && !isGpu)
                return {};
            if (!kind.machine.empty()) {
                key.machine = base::printableLine(kind.machine, kLongestName);
                key.purchase = kind.purchase;
            }
            key.resource = name;
            key.cloud = cloud;
            Use &use = uses[key]; // GPUs come after their machine
            if (isGpu || kind.isTime)
                GPULEDGER_TRY(sum(one, "monthlyQuantity", isGpu ? use.gpuHours : use.hours));
            return sum(one, "monthlyCost", use.cost);
        });
    }

    Result<void> sum(const Json &component, const char *member, std::optional<base::Decimal> &all) const
    {
        const Json &value = format::memberOf(component, member);
        if (value.is_null() || !all) {
            all.reset(); // it depends on use
            return {};
        }
        const auto number = base::Decimal::parse(format::textOf(component, member));
        const auto more = number && !number->isNegative() ? all->plus(*number) : number;
        if (!number || number->isNegative() || !more)
            return base::fail(ErrorCode::Parse,
                              m_file + " can't be read: " + member + " of " + nameIn(component, "name")
                                  + " is no amount");
        all = *more;
        return {};
    }

    std::string m_file;
    base::Currency m_currency;
    std::size_t m_resources = 0;
};

Result<void> addProject(const Json &project, Reader &reader, model::Plan &plan)
{
    const std::string name = nameIn(project, "name");
    if (!format::memberOf(project, "breakdown").is_object()) // Infracost could not read the project
        return base::fail(ErrorCode::Parse, plan.file + " has no breakdown of the project " + name,
                          base::Remedy::WriteBreakdown);
    plan.tellsBefore =
        plan.tellsBefore || !format::memberOf(format::memberOf(project, "pastBreakdown"), "resources").empty();
    const auto after = reader.read(format::memberOf(project, "breakdown"));
    GPULEDGER_TRY(after);
    const auto past = reader.read(format::memberOf(project, "pastBreakdown"));
    GPULEDGER_TRY(past);
    std::map<Key, model::PlannedMachine> machines;
    const auto machineOf = [&](const Key &key, const Use &use) -> model::PlannedMachine & {
        model::PlannedMachine &out = machines[key];
        out.project = name;
        out.resource = key.resource;
        out.cloud = key.cloud;
        out.machine = key.machine;
        out.purchase = key.purchase;
        out.gpuName = key.gpuName;
        if (!key.gpuName.empty())
            out.gpuHours = use.gpuHours;
        return out;
    };
    for (const auto &[key, use] : *past) {
        auto planned = reader.planned(use);
        GPULEDGER_TRY(planned);
        machineOf(key, use).before = std::move(*planned);
    }
    for (const auto &[key, use] : *after) {
        auto planned = reader.planned(use);
        GPULEDGER_TRY(planned);
        machineOf(key, use).planned = std::move(*planned);
    }
    for (auto &[key, machine] : machines)
        plan.machines.push_back(std::move(machine));
    return {};
}

} // namespace

Result<model::Plan> readBreakdown(std::string_view json, const std::string &file)
{
    const auto tree = format::parseWithNumbersAsText(json);
    if (!tree)
        return base::fail(ErrorCode::Parse, file + " can't be read: it is not complete JSON, or nested too deep",
                          base::Remedy::WriteBreakdown);
    const Json &projects = format::memberOf(*tree, "projects");
    if (!projects.is_array())
        return base::fail(ErrorCode::Parse, file + " is no breakdown of Infracost: it has no projects",
                          base::Remedy::WriteBreakdown);
    model::Plan plan;
    plan.file = file;
    if (const auto made = base::parseTime(format::textOf(*tree, "timeGenerated")))
        plan.made = *made;
    const std::string code = format::textOf(*tree, "currency");
    const auto currency = code.empty() ? base::Currency::usd() : base::Currency::parse(code);
    if (!currency)
        return base::fail(ErrorCode::Parse,
                          file + " can't be read: \"" + base::printable(code, 20) + "\" is no currency",
                          base::Remedy::WriteBreakdown);
    plan.currency = *currency;
    Reader reader(file, *currency);
    for (const Json &project : projects)
        GPULEDGER_TRY(addProject(project, reader, plan));
    return plan;
}

} // namespace gpuledger::infracost
