// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/seriesreader.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/format/samplescan.h"

#include <simdjson.h>

#include <algorithm>

namespace gpuledger::format {

namespace {

namespace od = simdjson::ondemand;
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::size_t kMaxWarnings = 20;

// Replaces each run of bytes that are not UTF-8 with one U+FFFD; the series that carry them are rejected later.
std::string repaired(std::string_view text)
{
    std::string out;
    out.reserve(text.size() + text.size() / 8);
    for (std::size_t i = 0; i < text.size();) {
        std::size_t n = 1;
        const auto b = static_cast<unsigned char>(text[i]);
        if (b >= 0xC0)
            n = b >= 0xF0 ? 4 : b >= 0xE0 ? 3 : 2;
        const std::string_view piece = text.substr(i, n);
        if (b < 0x80 || (piece.size() == n && base::isUtf8(piece))) {
            out += piece;
            i += piece.size();
        } else {
            out += kReplacement;
            ++i;
        }
    }
    return out;
}

// The start of a JSON string up to its end or its first escape; no number is longer than the limit.
std::string_view textAt(const char *begin)
{
    constexpr int kLongestNumber = 64;
    const char *end = begin;
    while (*end != '"' && *end != '\\' && *end != '\0' && end - begin < kLongestNumber)
        ++end;
    return {begin, static_cast<std::size_t>(end - begin)};
}

} // namespace

struct SeriesReader::Impl {
    od::parser parser;
    std::vector<Label> labels;
    std::vector<Sample> samples;
    bool wasRepaired = false;
    bool hasResult = false; // an empty one is an answer, a missing one is not

    void envelope(od::object root, SeriesVisitor &visitor, Envelope &out, std::string &status, std::string &error);
    void data(od::object data, SeriesVisitor &visitor, Envelope &out);
    void element(od::object element, SeriesVisitor &visitor, Envelope &out);
    void metric(od::object metric);
    void point(od::array pair);
    void values(od::array array);
    void deliver(SeriesVisitor &visitor);
};

void SeriesReader::Impl::metric(od::object metric)
{
    for (auto field : metric) {
        const std::string_view name = field.unescaped_key();
        const std::string_view value = field.value().get_string();
        if (name != "__name__" && !value.empty()) // an empty label counts as absent
            labels.push_back({name, value});
    }
}

void SeriesReader::Impl::point(od::array pair)
{
    Sample sample;
    int at = 0;
    for (auto part : pair) {
        if (at == 0)
            sample.time = part.get_double();
        else if (at == 1)
            sample.value = sampleValue(textAt(od::raw_json_string(part.get_raw_json_string()).raw()));
        ++at;
    }
    if (at != 2)
        throw simdjson::simdjson_error(simdjson::INCORRECT_TYPE);
    samples.push_back(sample);
}

void SeriesReader::Impl::values(od::array array)
{
    const std::size_t before = samples.size();
    const std::string_view text = array.raw_json(); // simdjson's padding follows
    if (scanSamples(text, samples))
        return;
    samples.resize(before);
    array.reset();
    for (auto pair : array)
        point(pair.get_array());
}

void SeriesReader::Impl::deliver(SeriesVisitor &visitor)
{
    std::size_t bytes = 0;
    for (const Label &label : labels) {
        bytes += label.name.size() + label.value.size();
        if (wasRepaired
            && (label.value.find(kReplacement) != std::string_view::npos
                || label.name.find(kReplacement) != std::string_view::npos)) {
            visitor.refused("a label is not valid UTF-8");
            return;
        }
    }
    if (bytes > kMaxLabelBytes) {
        visitor.refused("the labels of one series exceed 64 KiB");
        return;
    }
    std::sort(labels.begin(), labels.end(), [](const Label &a, const Label &b) { return a.name < b.name; });
    visitor.series(labels, samples);
}

void SeriesReader::Impl::element(od::object element, SeriesVisitor &visitor, Envelope &out)
{
    labels.clear();
    samples.clear();
    bool named = false, speaks = false;
    for (auto field : element) {
        const std::string_view key = field.unescaped_key();
        if (key == "metric") {
            metric(field.value().get_object());
            named = true;
        } else if (key == "values") {
            values(field.value().get_array());
            speaks = true;
        } else if (key == "value") {
            point(field.value().get_array());
            speaks = true;
        } else if (key == "histograms" || key == "histogram") {
            speaks = true;
        }
    }
    if (!named || !speaks)
        throw simdjson::simdjson_error(simdjson::NO_SUCH_FIELD);
    ++out.series;
    out.samples += samples.size();
    deliver(visitor);
}

void SeriesReader::Impl::data(od::object data, SeriesVisitor &visitor, Envelope &out)
{
    for (auto field : data) {
        const std::string_view key = field.unescaped_key();
        if (key == "resultType") {
            const std::string_view type = field.value().get_string();
            if (type != "matrix" && type != "vector")
                throw simdjson::simdjson_error(simdjson::INCORRECT_TYPE);
        } else if (key == "result") {
            for (auto one : field.value().get_array())
                element(one.get_object(), visitor, out);
            hasResult = true;
        }
    }
}

void SeriesReader::Impl::envelope(od::object root, SeriesVisitor &visitor, Envelope &out, std::string &status,
                                  std::string &error)
{
    for (auto field : root) {
        const std::string_view key = field.unescaped_key();
        if (key == "status") {
            status = std::string_view(field.value().get_string());
        } else if (key == "error") {
            error = std::string_view(field.value().get_string());
        } else if (key == "warnings") {
            od::value value = field.value();
            if (value.is_null())
                continue;
            for (auto text : value.get_array()) {
                const std::string_view warning = text.get_string();
                if (out.warnings.size() < kMaxWarnings)
                    out.warnings.push_back(base::printableLine(warning));
            }
        } else if (key == "isPartial") { // VictoriaMetrics cluster with a storage node down
            if (field.value().get_bool())
                out.warnings.emplace_back("the server reports that its response is partial");
        } else if (key == "data") {
            od::value value = field.value();
            if (!value.is_null())
                data(value.get_object(), visitor, out);
        }
    }
}

SeriesReader::SeriesReader()
    : m_impl(std::make_unique<Impl>())
{
}

SeriesReader::~SeriesReader() = default;

base::Result<Envelope> SeriesReader::read(std::string &body, SeriesVisitor &visitor)
{
    Envelope out;
    std::string status, error;
    try {
        body.reserve(body.size() + simdjson::SIMDJSON_PADDING);
        od::document document;
        auto problem = m_impl->parser.iterate(body.data(), body.size(), body.capacity()).get(document);
        m_impl->wasRepaired = problem == simdjson::UTF8_ERROR;
        if (m_impl->wasRepaired) {
            body = repaired(body);
            body.reserve(body.size() + simdjson::SIMDJSON_PADDING);
            problem = m_impl->parser.iterate(body.data(), body.size(), body.capacity()).get(document);
        }
        if (problem)
            throw simdjson::simdjson_error(problem);
        visitor.begin();
        m_impl->hasResult = false;
        m_impl->envelope(document.get_object(), visitor, out, status, error);
        if (document.current_location().error() != simdjson::OUT_OF_BOUNDS)
            throw simdjson::simdjson_error(simdjson::TRAILING_CONTENT);
    } catch (const simdjson::simdjson_error &e) {
        base::Error failed =
            base::Error::make(base::ErrorCode::Parse,
                              std::string("the response is truncated or does not follow the Prometheus API (")
                                  + simdjson::error_message(e.error()) + ')',
                              base::Remedy::CheckPrometheusUrl);
        failed.retryable = true;
        return base::fail(std::move(failed));
    } catch (const std::bad_alloc &) {
        return base::fail(base::ErrorCode::TooMuch, "the response does not fit into memory");
    }
    if (status != "success") {
        return base::fail(base::ErrorCode::Server,
                          status.empty() ? std::string("the response has no status")
                                         : "the server reports: " + base::printableLine(error));
    }
    if (!m_impl->hasResult) {
        base::Error half = base::Error::make(base::ErrorCode::Parse, "the response has status success, but no result",
                                             base::Remedy::CheckPrometheusUrl);
        half.retryable = true;
        return base::fail(std::move(half));
    }
    visitor.end();
    return out;
}

} // namespace gpuledger::format
