// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/kubernetes/queue/podneeds.h"

#include "connectors/format/json.h"
#include "connectors/kubernetes/api/objects.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>

namespace gpuledger::kubernetes {

using base::ErrorCode;
using base::Result;

namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t kMostGpus = 1'000'000, kMostMilli = 1'000'000'000, kMostBytes = 1'000'000'000'000'000;
constexpr std::size_t kMostDigits = 18, kMostSize = 64;

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

// A number without its decimal point: mantissa x 10^power.
struct Decimal {
    Wide mantissa = 0;
    int power = 0;
};

std::optional<Decimal> takeDecimal(std::string_view &text)
{
    Decimal out;
    std::size_t digits = 0, significant = 0;
    bool hasPoint = false;
    while (!text.empty() && (isDigit(text.front()) || (text.front() == '.' && !hasPoint))) {
        const char c = text.front();
        text.remove_prefix(1);
        if (c == '.') {
            hasPoint = true;
            continue;
        }
        ++digits;
        significant += significant > 0 || c != '0' ? 1 : 0;
        if (significant > kMostDigits)
            return std::nullopt;
        out.mantissa = out.mantissa * 10 + (c - '0');
        out.power -= hasPoint ? 1 : 0;
    }
    return digits > 0 ? std::optional(out) : std::nullopt;
}

// The powers of ten and of 1024 that a suffix or an exponent stands for.
bool takeSuffix(std::string_view suffix, int &tens, int &kibis)
{
    static constexpr std::array<std::pair<std::string_view, int>, 10> kTens{
        {{"n", -9}, {"u", -6}, {"m", -3}, {"", 0}, {"k", 3}, {"M", 6}, {"G", 9}, {"T", 12}, {"P", 15}, {"E", 18}}};
    static constexpr std::array<std::string_view, 6> kKibis{"Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
    for (const auto &[name, power] : kTens) {
        if (suffix == name) {
            tens = power;
            return true;
        }
    }
    if (const auto found = std::find(kKibis.begin(), kKibis.end(), suffix); found != kKibis.end()) {
        kibis = static_cast<int>(found - kKibis.begin()) + 1;
        return true;
    }
    if (suffix.front() != 'e' && suffix.front() != 'E')
        return false;
    suffix.remove_prefix(1);
    const bool isNegative = suffix.starts_with('-');
    if (isNegative || suffix.starts_with('+'))
        suffix.remove_prefix(1);
    if (suffix.empty() || suffix.size() > 2 || !std::all_of(suffix.begin(), suffix.end(), isDigit))
        return false;
    for (const char c : suffix)
        tens = tens * 10 + (c - '0');
    tens = isNegative ? -tens : tens;
    return true;
}

std::optional<std::int64_t> parsed(std::string_view text, std::int64_t scale, std::int64_t most)
{
    if (text.starts_with('+'))
        text.remove_prefix(1);
    const auto number = text.size() <= kMostSize ? takeDecimal(text) : std::nullopt;
    int tens = 0, kibis = 0;
    if (!number || !takeSuffix(text, tens, kibis))
        return std::nullopt;
    constexpr Wide kLarge = static_cast<Wide>(1) << 110; // still fits after multiplication by 1024
    Wide value = number->mantissa * scale;
    tens += number->power;
    for (; kibis > 0 && value <= kLarge; --kibis)
        value *= 1024;
    for (; tens > 0 && value <= kLarge; --tens)
        value *= 10;
    if (value > kLarge)
        return std::nullopt;
    for (; tens < 0 && value > 1; ++tens)
        value = (value + 9) / 10; // rounding up step by step equals rounding up once
    return value <= most ? std::optional(static_cast<std::int64_t>(value)) : std::nullopt;
}

// Network adapters and the like, which carry the vendor's name too.
bool isNoGpu(std::string_view name)
{
    static constexpr std::array<std::string_view, 6> kParts{"hostdev", "rdma", "sriov", "infiniband", "_nic", "-nic"};
    return std::any_of(kParts.begin(), kParts.end(),
                       [&](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

tl::unexpected<base::Error> wrongAmount(const std::string &what, const std::string &why)
{
    return base::fail(ErrorCode::Parse, shown(what + ' ' + why));
}

Result<void> addAmount(Amounts &out, const std::string &name, const Json &value, const std::string &what)
{
    const auto none = [&] { return wrongAmount(what, "has " + value.dump().substr(0, 80) + " of " + name); };
    if (name == "cpu" || name == "memory") {
        const bool isCpu = name == "cpu";
        const auto amount = quantity(value, isCpu ? 1000 : 1, isCpu ? kMostMilli : kMostBytes);
        if (!amount)
            return none();
        (isCpu ? out.cpuMilli : out.memoryBytes) = amount;
    } else if (isGpuResource(name) && !isNoGpu(name)) {
        const auto milli = quantity(value, 1000, kMostGpus * 1000);
        if (!milli || *milli % 1000 != 0) // devices are whole numbers
            return none();
        out.gpus[metricResource(name)] = *milli / 1000;
    }
    return {};
}

// Combines the amounts resource by resource with `how`.
template <typename Join> void join(Amounts &out, const Amounts &more, Join how)
{
    for (const auto &[resource, count] : more.gpus)
        out.gpus[resource] = how(out.gpus[resource], count);
    out.cpuMilli = how(out.cpuMilli.value_or(0), more.cpuMilli.value_or(0));
    out.memoryBytes = how(out.memoryBytes.value_or(0), more.memoryBytes.value_or(0));
}

void add(Amounts &out, const Amounts &more)
{
    join(out, more, plus);
}

void raise(Amounts &out, const Amounts &more)
{
    join(out, more, [](std::int64_t a, std::int64_t b) { return std::max(a, b); });
}

// The requests, with limits in place of missing requests.
Result<Amounts> amountsOfContainer(const Json &container, const std::string &what)
{
    if (!container.is_object())
        return wrongAmount(what, "has a container that is not an object");
    auto out = amountsIn(at(container, {"resources", "limits"}), what);
    GPULEDGER_TRY(out);
    const auto requests = amountsIn(at(container, {"resources", "requests"}), what);
    GPULEDGER_TRY(requests);
    for (const auto &[resource, count] : requests->gpus)
        out->gpus[resource] = count;
    if (requests->cpuMilli)
        out->cpuMilli = requests->cpuMilli;
    if (requests->memoryBytes)
        out->memoryBytes = requests->memoryBytes;
    return out;
}

using Visit = std::function<void(const Json &container, const Amounts &)>;

Result<void> forContainers(const Json &list, const std::string &what, const Visit &visit)
{
    if (list.is_null())
        return {};
    if (!list.is_array())
        return wrongAmount(what, "has containers that are not a list");
    for (const Json &container : list) {
        const auto amounts = amountsOfContainer(container, what);
        GPULEDGER_TRY(amounts);
        visit(container, *amounts);
    }
    return {};
}

} // namespace

std::optional<std::int64_t> quantity(const Json &value, std::int64_t scale, std::int64_t most)
{
    if (value.is_number_integer())
        return parsed(value.dump(), scale, most);
    return value.is_string() ? parsed(value.get_ref<const std::string &>(), scale, most) : std::nullopt;
}

Result<Amounts> amountsIn(const Json &resources, const std::string &what)
{
    Amounts out;
    if (resources.is_null())
        return out;
    if (!resources.is_object())
        return wrongAmount(what, "has resources that are not a map");
    for (const auto &[name, value] : resources.items())
        GPULEDGER_TRY(addAmount(out, name, value, what));
    return out;
}

Result<Amounts> needsOf(const Json &podSpec, const std::string &what)
{
    if (!podSpec.is_object())
        return wrongAmount(what, "has no spec");
    Amounts together, sidecars, before;
    GPULEDGER_TRY(forContainers(at(podSpec, {"containers"}), what,
                                [&](const Json &, const Amounts &amounts) { add(together, amounts); }));
    GPULEDGER_TRY(
        forContainers(at(podSpec, {"initContainers"}), what, [&](const Json &container, const Amounts &amounts) {
            Amounts running = sidecars;
            add(running, amounts);
            raise(before, running);
            if (format::textOf(container, "restartPolicy") == "Always")
                sidecars = std::move(running);
        }));
    add(together, sidecars);
    raise(together, before);
    const auto ofPod = amountsIn(at(podSpec, {"resources", "requests"}), what);
    GPULEDGER_TRY(ofPod);
    if (ofPod->cpuMilli)
        together.cpuMilli = ofPod->cpuMilli;
    if (ofPod->memoryBytes)
        together.memoryBytes = ofPod->memoryBytes;
    const auto overhead = amountsIn(at(podSpec, {"overhead"}), what);
    GPULEDGER_TRY(overhead);
    add(together, *overhead);
    std::erase_if(together.gpus, [](const auto &one) { return one.second == 0; });
    return together;
}

std::string mainResource(const Amounts &amounts)
{
    std::string most;
    for (const auto &[resource, count] : amounts.gpus) {
        if (most.empty() || count > amounts.gpus.at(most))
            most = resource;
    }
    return most;
}

std::int64_t plus(std::int64_t a, std::int64_t b)
{
    std::int64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

std::string metricResource(std::string_view resource)
{
    std::string out(resource);
    std::replace_if(
        out.begin(), out.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
    return out;
}

std::string metricKey(std::string_view key)
{
    std::string out;
    for (std::size_t i = 0; i < key.size(); ++i) {
        const char c = key[i];
        const bool isUpper = c >= 'A' && c <= 'Z', isLower = c >= 'a' && c <= 'z';
        const char last = i > 0 ? key[i - 1] : ' ';
        if (isUpper && ((last >= 'a' && last <= 'z') || isDigit(last)))
            out += '_';
        out += isUpper ? static_cast<char>(c - 'A' + 'a') : isLower || isDigit(c) ? c : '_';
    }
    return out;
}

} // namespace gpuledger::kubernetes
