// SPDX-License-Identifier: GPL-3.0-or-later
// The small responses of Prometheus: build information, names of metrics, errors, and queries with retries.
#include "connectors/prometheus/query/discovery.h"
#include "tests/fuzz/fuzz.h"

namespace gpuledger::fuzz {

namespace {

class Counter final : public format::SeriesVisitor {
public:
    void begin() override { }
    void refused(std::string_view) override { }
    void series(std::span<const format::Label>, std::span<const format::Sample>) override { }
};

} // namespace

void fuzz(std::string_view bytes)
{
    using namespace prometheus;
    const std::size_t question = choice(bytes, 3);
    Server server(pieces(bytes, 3));
    NoPause pause;
    Connection connection(server, {}, pause);
    connection.endpoint.base = "http://127.0.0.1:9090";
    const base::TimeRange range{base::fromUnix(1'700'000'000), base::fromUnix(1'700'003'600)};
    if (question == 0) {
        (void)askServer(connection, {});
    } else if (question == 1) {
        (void)askNames(connection, range, {});
    } else {
        Counter counter;
        QueryRunner runner(connection, {{rangeQuery("up", range.start, range.end, base::Seconds{60}), &counter}}, {});
        runner.start();
        (void)runner.finish();
    }
    for (const std::string &warning : connection.warnings)
        check(warning.size() <= 400, "a warning is short");
}

} // namespace gpuledger::fuzz
