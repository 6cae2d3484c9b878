// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/coreweave/nodecounts.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/format/seriesreader.h"

#include <bitset>
#include <cmath>
#include <functional>

namespace gpuledger::coreweave {

using base::ErrorCode;
using base::Result;

namespace {

constexpr double kMostNodes = 1'000'000; // of one kind
constexpr std::size_t kMostKinds = 2'000;
constexpr std::size_t kLongestLabel = 256; // bytes
constexpr std::int64_t kMilli = 1'000;
constexpr const char *kTypeLabel = "label_node_kubernetes_io_instance_type";

std::string nodeQuery()
{
    return std::string("sum by (cluster, ") + kTypeLabel + ") (" + kNodeMetric + ')';
}

// Calls `take` for each sample; remembers the first thing that is wrong.
class NodeVisitor final : public format::SeriesVisitor {
public:
    using Take = std::function<void(const NodeKind &kind, const format::Sample &sample)>;

    explicit NodeVisitor(Take take)
        : m_take(std::move(take))
    {
    }

    void series(std::span<const format::Label> labels, std::span<const format::Sample> samples) override
    {
        NodeKind kind;
        for (const auto &[name, value] : labels) {
            std::string *const part = name == "cluster" ? &kind.cluster : name == kTypeLabel ? &kind.type : nullptr;
            if (part)
                *part = base::printableLine(value, kLongestLabel);
        }
        if (++m_kinds > kMostKinds)
            m_error = base::Error::make(ErrorCode::TooMuch, "CoreWeave counts more than 2,000 kinds of nodes");
        for (const format::Sample &sample : samples) {
            if (m_error)
                return;
            if (!std::isfinite(sample.value) || sample.value < 0 || sample.value > kMostNodes)
                refused("a number of nodes is none");
            else
                m_take(kind, sample);
        }
    }
    void refused(std::string_view reason) override
    {
        if (!m_error)
            m_error = base::Error::make(ErrorCode::Parse,
                                        "CoreWeave's counts can't be read: " + base::printable(reason, kLongestLabel),
                                        base::Remedy::NextSyncTriesAgain);
    }

    Result<void> read(std::string &body)
    {
        format::SeriesReader reader;
        const auto envelope = reader.read(body, *this);
        GPULEDGER_TRY(envelope);
        if (m_error)
            return base::fail(*m_error);
        if (!envelope->warnings.empty())
            return base::fail(ErrorCode::Server,
                              "CoreWeave's answer may be incomplete: "
                                  + base::printable(envelope->warnings.front(), kLongestLabel),
                              base::Remedy::NextSyncTriesAgain);
        return {};
    }

private:
    Take m_take;
    std::size_t m_kinds = 0;
    std::optional<base::Error> m_error;
};

} // namespace

http::Parameters dayQuestion(base::Day day)
{
    return {{"query", nodeQuery()},
            {"start", base::toRfc3339(day.start())},
            {"end", base::toRfc3339(day.end() - kStep)},
            {"step", std::to_string(kStep.count())}};
}

http::Parameters nowQuestion(base::UtcTime time)
{
    return {{"query", nodeQuery()}, {"time", base::toRfc3339(time)}};
}

Result<DayCount> readDay(std::string body, base::Day day)
{
    DayCount count;
    std::bitset<base::kBucketsPerDay> seen;
    bool isOutside = false;
    NodeVisitor visitor([&](const NodeKind &kind, const format::Sample &sample) {
        const double after = sample.time - static_cast<double>(base::toUnix(day.start()));
        const auto number = static_cast<std::int64_t>(std::floor(after / static_cast<double>(kStep.count())));
        if (number < 0 || number >= base::kBucketsPerDay) {
            isOutside = true;
            return;
        }
        seen.set(static_cast<std::size_t>(number));
        count.milliseconds[kind] += std::llround(sample.value * static_cast<double>(kMilli)) * kStep.count();
    });
    GPULEDGER_TRY(visitor.read(body));
    if (isOutside)
        return base::fail(ErrorCode::Parse, "CoreWeave's counts are not those of the day that was asked for",
                          base::Remedy::NextSyncTriesAgain);
    count.missing = kStep * static_cast<std::int64_t>(base::kBucketsPerDay - seen.count());
    return count;
}

Result<std::map<std::string, std::int64_t>> readNow(std::string body)
{
    std::map<std::string, std::int64_t> nodes;
    NodeVisitor visitor(
        [&](const NodeKind &kind, const format::Sample &sample) { nodes[kind.type] += std::llround(sample.value); });
    GPULEDGER_TRY(visitor.read(body));
    return nodes;
}

} // namespace gpuledger::coreweave
