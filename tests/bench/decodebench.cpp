// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/decodebench.h"

#include "connectors/format/seriesreader.h"

#include <simdjson.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace gpuledger::bench {

namespace {

constexpr int kSeries = 1000, kPoints = 288, kRuns = 9;

std::string answer()
{
    std::string body = R"({"status":"success","data":{"resultType":"matrix","result":[)";
    char buf[256];
    for (int s = 0; s < kSeries; ++s) {
        std::snprintf(
            buf, sizeof buf,
            R"(%s{"metric":{"UUID":"GPU-%08d-aaaa-bbbb-cccc-dddddddddddd","Hostname":"node-%d","gpu":"%d","pod":"job-%d","namespace":"team"},"values":[)",
            s ? "," : "", s, s / 8, s % 8, s);
        body += buf;
        for (int p = 0; p < kPoints; ++p) {
            std::snprintf(buf, sizeof buf, R"(%s[%d,"%.12g"])", p ? "," : "", 1700000000 + 300 * p,
                          (s * 31 + p * 7) % 1000 / 9.7);
            body += buf;
        }
        body += "]}";
    }
    return body + "]}}";
}

class Summing final : public format::SeriesVisitor {
public:
    void series(std::span<const format::Label>, std::span<const format::Sample> samples) override
    {
        for (const format::Sample &s : samples)
            sum += s.value;
    }
    void refused(std::string_view) override { ++refusals; }
    double sum = 0;
    int refusals = 0;
};

// Every value visited and turned into a number, nothing kept.
double walk(simdjson::ondemand::parser &parser, const simdjson::padded_string &json)
{
    double sum = 0;
    auto document = parser.iterate(json);
    for (auto series : document["data"]["result"].get_array()) {
        for (auto pair : series["values"].get_array()) {
            int i = 0;
            for (auto item : pair.get_array()) {
                if (i++ == 0) {
                    sum += item.get_double().value() * 0;
                    continue;
                }
                const std::string_view text = item.get_string().value();
                double v = 0;
                std::from_chars(text.data(), text.data() + text.size(), v);
                sum += v;
            }
        }
    }
    return sum;
}

} // namespace

Figure decodeFigure()
{
    const std::string body = answer();
    const simdjson::padded_string padded(body);
    simdjson::ondemand::parser parser;
    format::SeriesReader reader;
    Summing visitor;
    std::vector<double> ours, theirs;
    double expected = 0;
    for (int run = 0; run <= kRuns; ++run) {
        std::string copy = body;
        visitor.sum = 0;
        const double own = cpuMillisecondsOf([&] {
            if (!reader.read(copy, visitor)) {
                std::fprintf(stderr, "bench: the generated answer can't be read\n");
                std::exit(1);
            }
        });
        const double other = cpuMillisecondsOf([&] { expected = walk(parser, padded); });
        if (run == 0)
            continue; // warm-up
        ours.push_back(own);
        theirs.push_back(other);
    }
    Figure f{"P2 decode 1,000 series x 288 points",
             median(ours),
             "ms",
             "simdjson on-demand walking the same bytes",
             median(theirs),
             1.2,
             ""};
    if (std::abs(visitor.sum - expected) > 1e-6 * std::abs(expected))
        f.note = "WRONG: the two sums differ";
    return f;
}

} // namespace gpuledger::bench
