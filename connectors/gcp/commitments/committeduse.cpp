// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/commitments/committeduse.h"

#include "app/base/text/text.h"
#include "connectors/format/json.h"
#include "connectors/gcp/compute/instancepage.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace gpuledger::gcp {

using Json = nlohmann::json;

namespace {

constexpr std::size_t kLongestCommitmentText = 200; // bytes
constexpr std::size_t kShownAccelerators = 10;
constexpr std::size_t kLongestCommitmentId = 20; // digits of 64 bits
constexpr std::int64_t kMostAccelerators = 1'000'000'000; // of one resource

// cloud.google.com/compute/docs/instances/signing-up-committed-use-discounts: the types for series of which each
// machine has GPUs, and the series of the type without one in its name.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kGpuFamilies{
    {{"ACCELERATOR_OPTIMIZED", "A2"}, {"GRAPHICS_OPTIMIZED", "G2"}}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kPlans{{{"TWELVE_MONTH", "1 year"},
                                                                               {"TWENTY_FOUR_MONTH", "2 years"},
                                                                               {"THIRTY_SIX_MONTH", "3 years"},
                                                                               {"SIXTY_MONTH", "5 years"}}};

// By name; std::nullopt: how many is not told.
using Accelerators = std::map<std::string, std::optional<std::int64_t>>;

bool isTextOrNone(const Json &commitment, const char *key)
{
    const Json &value = format::memberOf(commitment, key);
    return value.is_null() || value.is_string();
}

std::string shownOf(std::string_view text)
{
    return base::printableLine(text, kLongestCommitmentText);
}

// A whole number of 64 bits, which Google writes as a text.
std::string numberOf(const Json &value)
{
    std::string text = value.is_string() ? value.get<std::string>() : std::string();
    if (value.is_number_unsigned())
        text = std::to_string(value.get<std::uint64_t>());
    const bool isNumber = !text.empty() && text.size() <= kLongestCommitmentId
        && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    return isNumber ? text : std::string();
}

// False: a resource can't be read. One of none is left out.
bool addResource(const Json &resource, Accelerators &out)
{
    const std::string type = format::textOf(resource, "type");
    if (type.empty())
        return false;
    if (type != "ACCELERATOR")
        return true;
    std::string name = shownOf(lastOf(format::textOf(resource, "acceleratorType")));
    const Json &told = format::memberOf(resource, "amount");
    const auto amount = told.is_null() ? std::nullopt : base::parseInt(numberOf(told));
    if (name.empty() || (!told.is_null() && !amount) || amount > kMostAccelerators)
        return false;
    if (amount == 0)
        return true;
    const auto [at, isNew] = out.try_emplace(std::move(name), amount);
    if (!isNew)
        at->second = at->second && amount ? std::optional(*at->second + *amount) : std::nullopt;
    return true;
}

std::optional<Accelerators> acceleratorsIn(const Json &resources)
{
    Accelerators out;
    if (!resources.is_null() && !resources.is_array())
        return std::nullopt;
    for (std::size_t i = 0; i < resources.size(); ++i) {
        if (!addResource(resources[i], out))
            return std::nullopt;
    }
    return out;
}

// "A3" of "ACCELERATOR_OPTIMIZED_A3_MEGA"; empty: machines of this type may have no GPUs.
std::string seriesOf(std::string_view type)
{
    for (const auto &[family, first] : kGpuFamilies) {
        if (type == family)
            return std::string(first);
        if (!type.starts_with(family) || type[family.size()] != '_')
            continue;
        const std::string_view series = type.substr(family.size() + 1);
        return std::string(series.substr(0, series.find('_')));
    }
    return {};
}

// "ct5lp", "tpu7x"
bool isTpu(std::string_view machine)
{
    constexpr std::array<std::string_view, 4> kTpus{"ct", "CT", "tpu", "TPU"};
    return std::any_of(kTpus.begin(), kTpus.end(), [&](std::string_view one) { return machine.starts_with(one); });
}

std::string planWords(const std::string &plan)
{
    const auto *const at =
        std::find_if(kPlans.begin(), kPlans.end(), [&](const auto &one) { return one.first == plan; });
    return at == kPlans.end() ? shownOf(plan) : std::string(at->second);
}

void addTerm(const std::string &term, std::string &out)
{
    if (!term.empty())
        out += (out.empty() ? "" : ", ") + term;
}

// All of them, if there are several, because the count is then that of none.
void addAccelerators(const Accelerators &accelerators, std::string &out)
{
    if (accelerators.size() < 2)
        return;
    std::size_t shown = 0;
    for (const auto &[name, amount] : accelerators) {
        if (++shown > kShownAccelerators)
            break;
        addTerm((amount ? std::to_string(*amount) + ' ' : std::string()) + name, out);
    }
    if (shown > kShownAccelerators)
        addTerm("and " + std::to_string(accelerators.size() - kShownAccelerators) + " more", out);
}

std::string termsOf(const Json &commitment, const std::string &type, const Accelerators &accelerators)
{
    std::string out = type;
    addTerm(planWords(format::textOf(commitment, "plan")), out);
    addAccelerators(accelerators, out);
    const Json &renews = format::memberOf(commitment, "autoRenew");
    if (renews.is_boolean() && renews.get<bool>())
        addTerm("renews itself", out);
    return out;
}

// False: one can't be read, or it ends before it starts.
bool setTimes(const Json &commitment, model::CloudCommitment &out)
{
    for (const auto &[to, key] : {std::pair(&model::CloudCommitment::start, "startTimestamp"),
                                  std::pair(&model::CloudCommitment::end, "endTimestamp")}) {
        const std::string text = format::textOf(commitment, key);
        const auto time = base::parseTime(text);
        if (!isTextOrNone(commitment, key) || (!text.empty() && !time))
            return false;
        if (time)
            out.*to = *time;
    }
    return !out.start || !out.end || *out.start < *out.end;
}

// False: what it is for is not known.
bool setMachine(const std::string &type, const Accelerators &accelerators, model::CloudCommitment &out)
{
    const std::string series = seriesOf(type);
    if (!accelerators.empty()) {
        out.machine = accelerators.begin()->first;
        out.count = accelerators.size() == 1 ? accelerators.begin()->second : std::nullopt;
    } else {
        out.machine = series.empty() ? type : series;
    }
    out.isMachineGpu = (!accelerators.empty() || !series.empty()) && !isTpu(out.machine);
    return !out.machine.empty();
}

} // namespace

std::optional<bool> isCommittedUse(const Json &commitment)
{
    const std::string status = format::textOf(commitment, "status"), category = format::textOf(commitment, "category");
    if (status.empty() || !isTextOrNone(commitment, "category"))
        return std::nullopt;
    const bool isMachine = category == "MACHINE"
        || ((category.empty() || category == "CATEGORY_UNSPECIFIED")
            && !format::memberOf(commitment, "licenseResource").is_object());
    return isMachine && (status == "ACTIVE" || status == "NOT_YET_ACTIVE");
}

std::optional<model::CloudCommitment> committedUseOf(const Json &commitment, const std::string &project,
                                                     const std::string &region)
{
    for (const char *key : {"name", "type", "plan", "region"}) {
        if (!isTextOrNone(commitment, key))
            return std::nullopt;
    }
    model::CloudCommitment out;
    out.cloud = "Google Cloud";
    out.account = project;
    out.kind = model::CloudCommitmentKind::CommittedUse;
    out.id = numberOf(format::memberOf(commitment, "id"));
    out.name = shownOf(format::textOf(commitment, "name"));
    const std::string where = lastOf(format::textOf(commitment, "region"));
    out.region = shownOf(where.empty() ? region : where);
    std::string type = shownOf(format::textOf(commitment, "type"));
    if (type == "TYPE_UNSPECIFIED")
        type.clear();
    const auto accelerators = acceleratorsIn(format::memberOf(commitment, "resources"));
    if (out.id.empty() || !accelerators || !setMachine(type, *accelerators, out) || !setTimes(commitment, out))
        return std::nullopt;
    out.terms = termsOf(commitment, type, *accelerators);
    return out;
}

} // namespace gpuledger::gcp
