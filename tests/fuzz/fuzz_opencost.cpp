// SPDX-License-Identifier: GPL-3.0-or-later
// Answers of OpenCost and Kubecost for one day.
#include "connectors/format/recordreader.h"
#include "connectors/opencost/allocationrecords.h"
#include "connectors/opencost/dayquestion.h"
#include "tests/fuzz/fuzz.h"

namespace gpuledger::fuzz {

namespace {

void readRecords(std::string_view bytes, bool areAssets)
{
    using opencost::AllocationRecords;
    AllocationRecords records(base::dayOf(kClock.now()), base::Currency::usd());
    format::RecordReader reader(areAssets ? AllocationRecords::assetMembers() : AllocationRecords::allocationMembers());
    std::string body(bytes);
    std::uint64_t visited = 0;
    const auto read = reader.read(body, [&](std::string_view name, const format::RecordValues &values) {
        ++visited;
        return areAssets ? records.addAsset(values) : records.addAllocation(name, values);
    });
    if (read)
        check(read->records == visited, "each record is handed over");
    check(records.accepted() + records.rejected() <= visited, "no record counts twice");
    const model::AllocationDay day = records.take({});
    for (const model::AllocatedNode &node : day.nodes)
        check(node.name.size() <= AllocationRecords::kLongestName, "a name is within its limit");
}

} // namespace

void fuzz(std::string_view bytes)
{
    const std::size_t question = choice(bytes, 3);
    if (question < 2) {
        readRecords(bytes, question == 0);
        return;
    }
    // One response serves both queries, which run on two threads.
    class Same final : public http::HttpClient {
    public:
        explicit Same(std::string_view bytes)
            : m_bytes(bytes)
        {
        }
        void submit(http::Request request, std::stop_token stop, Completion done) override
        {
            Server({m_bytes}).submit(std::move(request), std::move(stop), std::move(done));
        }

    private:
        std::string_view m_bytes;
    };
    Same client(bytes);
    NoPause pause(0);
    opencost::Endpoint endpoint;
    endpoint.base = "http://127.0.0.1:9003";
    opencost::Server server(client, endpoint, {}, pause, {});
    (void)opencost::findApi(server, base::dayOf(kClock.now()), {});
    (void)opencost::askDay(server, base::dayOf(kClock.now()), base::Currency::usd(), {});
}

} // namespace gpuledger::fuzz
