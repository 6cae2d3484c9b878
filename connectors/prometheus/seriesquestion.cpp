// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/seriesquestion.h"

#include "app/base/remedy.h"
#include "connectors/prometheus/chunkplanner.h"
#include "connectors/prometheus/query/discovery.h"
#include "connectors/prometheus/query/impatient.h"

#include <cmath>
#include <limits>

namespace gpuledger::prometheus {

namespace {

using base::ErrorCode;
using ports::SeriesAnswer;
using ports::SeriesQuestion;

class AnswerVisitor final : public format::SeriesVisitor {
public:
    explicit AnswerVisitor(const SeriesQuestion &question)
        : m_question(question)
    {
    }

    void begin() override { m_answer = {}; }
    void refused(std::string_view reason) override { m_refused = reason; }
    void series(std::span<const format::Label> labels, std::span<const format::Sample> samples) override
    {
        SeriesAnswer::Series series;
        series.values.assign(m_question.count(), std::numeric_limits<double>::quiet_NaN());
        if (!fill(series.values, samples))
            return;
        if (m_answer.series.size() == SeriesAnswer::kMostSeries) {
            ++m_answer.leftOut;
            return;
        }
        for (const format::Label &label : labels)
            series.labels.emplace(label.name, label.value);
        m_answer.series.push_back(std::move(series));
    }

    SeriesAnswer take()
    {
        if (!m_refused.empty())
            m_answer.warnings.push_back("a series was left out: " + m_refused);
        return std::move(m_answer);
    }

private:
    // Places samples by their timestamps, never by their position. Returns false if none of them is a number (not
    // observed).
    bool fill(std::vector<double> &values, std::span<const format::Sample> samples) const
    {
        bool any = false;
        const auto step = static_cast<double>(m_question.step.count());
        for (const format::Sample &sample : samples) {
            const double place = std::round((sample.time - static_cast<double>(base::toUnix(m_question.first))) / step);
            if (!std::isfinite(sample.value) || !(place >= 0 && place < static_cast<double>(values.size())))
                continue;
            values[static_cast<std::size_t>(place)] = sample.value;
            any = true;
        }
        return any;
    }

    const SeriesQuestion &m_question;
    SeriesAnswer m_answer;
    std::string m_refused;
};

} // namespace

base::Result<SeriesAnswer> askSeries(Connection &connection, const SeriesQuestion &question, std::stop_token stop)
{
    if (question.step.count() <= 0 || question.count() == 0 || static_cast<std::int64_t>(question.count()) > kMaxSteps)
        return base::fail(ErrorCode::InvalidArgument, "a query must have 1 to 10,000 steps",
                          base::Remedy::ChooseShorterRangeOrLongerStep);
    connection.retries = kImpatient;
    auto server = askServer(connection, stop);
    if (!server)
        return base::fail(std::move(server).error());
    connection.endpoint.product = server->product;
    if (server->product == Product::Thanos)
        connection.endpoint.maxSourceResolution = "auto"; // raw blocks of old days may be gone
    connection.endpoint.userAsks = true;
    AnswerVisitor visitor(question);
    const ApiCall call = rangeQuery(question.expression, question.first, question.last, question.step);
    auto done = QueryRunner(connection, {{call, &visitor}}, std::move(stop)).finish();
    if (!done) {
        base::Error error = std::move(done).error();
        if (error.code == ErrorCode::TooMuch)
            error.hint = base::text(base::Remedy::NarrowExpression);
        return base::fail(std::move(error));
    }
    SeriesAnswer answer = visitor.take();
    answer.warnings.insert(answer.warnings.end(), connection.warnings.begin(), connection.warnings.end());
    return answer;
}

} // namespace gpuledger::prometheus
