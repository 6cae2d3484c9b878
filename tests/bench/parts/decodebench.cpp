// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/parts/decodebench.h"

#include "connectors/format/seriesreader.h"
#include "connectors/prometheus/usage/usageassembler.h"

#include <simdjson.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace gpuledger::bench {

namespace {

constexpr int kSeries = 1000, kPoints = 288, kRuns = 15;
constexpr std::int64_t kFirstEnd = 1'699'999'800; // end of a bucket

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
            std::snprintf(buf, sizeof buf, R"(%s[%lld,"%.12g"])", p ? "," : "",
                          static_cast<long long>(kFirstEnd + 300 * p), (s * 31 + p * 7) % 1000 / 9.7);
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

// Visits every value and converts it to a number; keeps nothing.
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

namespace {

prometheus::ExporterMapping dcgm()
{
    const auto mappings = prometheus::loadMappings({});
    if (mappings) {
        auto present = prometheus::presentExporters(*mappings, {"DCGM_FI_DEV_GPU_UTIL"});
        if (present.size() == 1 && present[0].metrics.size() == 1)
            return present[0];
    }
    std::fprintf(stderr, "bench: dcgm-exporter has no mapping\n");
    std::exit(1);
}

// The activity summed over all cells, in percent.
double sumOf(const prometheus::UsageAssembler &assembler)
{
    double sum = 0;
    for (std::uint32_t i = 0; i < assembler.seriesCount(); ++i) {
        const prometheus::UsageCells &cells = assembler.series(i).cells;
        for (std::size_t bucket = cells.first(); bucket < cells.end(); ++bucket)
            sum += 100
                * model::shareToDouble(
                       cells.at(bucket).activity[static_cast<int>(prometheus::Quantity::GpuUtilization)]);
    }
    return sum;
}

double cpuOfReading(format::SeriesReader &reader, const std::string &answer, format::SeriesVisitor &visitor)
{
    std::string body;
    body.reserve(2 * answer.size()); // like a body that grew piece by piece and has spare capacity
    body = answer;
    return cpuMillisecondsOf([&] {
        if (!reader.read(body, visitor)) {
            std::fprintf(stderr, "bench: can't read the generated answer\n");
            std::exit(1);
        }
    });
}

} // namespace

Figure decodeFigure()
{
    const std::string body = answer();
    const simdjson::padded_string padded(body);
    const prometheus::ExporterMapping exporter = dcgm();
    const base::TimeRange range{base::fromUnix(kFirstEnd - 300), base::fromUnix(kFirstEnd + 300 * (kPoints - 1))};
    simdjson::ondemand::parser parser;
    format::SeriesReader reader;
    std::vector<double> toBuckets, readOnly, walking;
    double walked = 0, summed = 0, kept = 0;
    for (int run = 0; run <= kRuns; ++run) {
        prometheus::UsageAssembler assembler(range, range.end, {"", "", "bench"});
        const double ours =
            cpuOfReading(reader, body, assembler.visitor(exporter, exporter.metrics[0], prometheus::Aggregate::Mean));
        Summing summing;
        const double reading = cpuOfReading(reader, body, summing);
        const double other = cpuMillisecondsOf([&] { walked = walk(parser, padded); });
        kept = sumOf(assembler);
        summed = summing.sum;
        if (run == 0)
            continue; // warm-up
        toBuckets.push_back(ours);
        readOnly.push_back(reading);
        walking.push_back(other);
    }
    char note[128];
    std::snprintf(note, sizeof note, "CPU time, medians of %d; reading alone %.2f ms, %.1f MB", kRuns, median(readOnly),
                  static_cast<double>(body.size()) / 1e6);
    Figure f{"P2 decode to buckets, 1,000 series x 288 points",
             median(toBuckets),
             "ms",
             "simdjson on-demand walking the same bytes",
             median(walking),
             1.2,
             note};
    // A share is stored in steps of 1/60000 and never exceeds one.
    if (std::abs(summed - walked) > 1e-9 * walked || std::abs(kept - walked) > 0.01 * walked)
        f.note = "WRONG: the sums differ";
    return f;
}

} // namespace gpuledger::bench
