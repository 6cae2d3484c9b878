// SPDX-License-Identifier: GPL-3.0-or-later
// Responses of Prometheus with series, and the meaning of a device's labels.
#include "connectors/format/json.h"
#include "connectors/format/samplescan.h"
#include "connectors/format/seriesreader.h"
#include "connectors/prometheus/series/seriesnormalizer.h"
#include "tests/fuzz/fuzz.h"

#include <algorithm>
#include <cmath>

namespace gpuledger::fuzz {

namespace {

class Visitor final : public format::SeriesVisitor {
public:
    void begin() override
    {
        ++begun;
        series_ = samples_ = 0;
    }
    void refused(std::string_view) override { }
    void series(std::span<const format::Label> labels, std::span<const format::Sample> samples) override
    {
        ++series_;
        samples_ += samples.size();
        std::size_t bytes = 0;
        for (const format::Label &label : labels) {
            bytes += label.name.size() + label.value.size();
            check(label.name != "__name__", "the name of the metric is not a label");
        }
        check(bytes <= format::kMaxLabelBytes, "the labels of a series are within their limit");
        check(std::is_sorted(labels.begin(), labels.end(),
                             [](const format::Label &a, const format::Label &b) { return a.name < b.name; }),
              "labels are sorted by name");
        readLabels(labels);
    }
    void end() override { ++ended; }

    int begun = 0, ended = 0;
    std::uint64_t series_ = 0, samples_ = 0;

private:
    static void readLabels(std::span<const format::Label> labels)
    {
        static const prometheus::Mappings mappings = *prometheus::loadMappings({});
        (void)prometheus::seriesKey(labels);
        for (const prometheus::ExporterMapping &exporter : mappings.exporters) {
            std::string_view reason;
            const auto seen = prometheus::identify(exporter, {"", "cluster", "home"}, labels, reason);
            if (!seen)
                continue;
            const auto share = prometheus::migFraction(seen->profile, seen->modelName);
            check(share.part > 0 && share.part <= share.of, "a slice is a part of its device");
        }
    }
};

bool same(double a, double b)
{
    return a == b || (std::isnan(a) && std::isnan(b));
}

// The fast reader of samples must read the same as the slow one, or give up.
void compareScan(std::string_view bytes)
{
    std::string padded(bytes);
    padded.append(16, '\0');
    std::vector<format::Sample> samples;
    if (!format::scanSamples(std::string_view(padded).substr(0, bytes.size()), samples))
        return;
    for (std::size_t end = bytes.find(']'); end != std::string_view::npos; end = bytes.find(']', end + 1)) {
        const auto json = format::parseJson(bytes.substr(0, end + 1));
        if (!json)
            continue;
        check(json->is_array() && json->size() == samples.size(), "as many samples as array elements");
        for (std::size_t i = 0; i < samples.size(); ++i) {
            const auto &one = json->at(i);
            check(one.is_array() && one.size() == 2 && one[0].is_number() && one[1].is_string(),
                  "each element is a pair");
            check(same(one[0].get<double>(), samples[i].time), "the same times");
            check(same(format::sampleValue(one[1].get_ref<const std::string &>()), samples[i].value),
                  "the same values");
        }
        return;
    }
}

} // namespace

void fuzz(std::string_view bytes)
{
    static format::SeriesReader reader;
    std::string body(bytes);
    Visitor visitor;
    const auto read = reader.read(body, visitor);
    check(visitor.ended == (read ? 1 : 0), "a response ends exactly if it was complete");
    if (read) {
        check(read->series >= visitor.series_ && read->samples >= visitor.samples_,
              "everything handed over is counted");
    }
    if (bytes.starts_with('['))
        compareScan(bytes);
}

} // namespace gpuledger::fuzz
