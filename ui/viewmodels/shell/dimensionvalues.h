// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/query/labels.h"
#include "app/insight/query/query.h"
#include "app/insight/query/values.h"
#include "ui/viewmodels/shell/taskrunner.h"

#include <QObject>

#include <map>
#include <memory>
#include <stop_token>
#include <vector>

namespace gpuledger::services {
class FleetService;
}

namespace gpuledger::ui {

// The possible filter values, queried on demand and cached until the data change. One per window; GUI thread; queries
// on worker threads and drops stale answers.
class DimensionValues : public QObject {
    Q_OBJECT
public:
    using Values = std::vector<insight::DimensionValue>;
    using Labels = std::vector<insight::LabelUse>;

    // Both must outlive it.
    DimensionValues(services::FleetService &fleet, TaskRunner &tasks, QObject *parent = nullptr);
    ~DimensionValues() override;

    // The known values of a dimension, possibly from before the last sync; null before the first answer.
    std::shared_ptr<const Values> values(const insight::Dimension &dimension) const;
    // Queries the values unless they are available or on their way; changed() signals the answer.
    void want(const insight::Dimension &dimension);
    // The labels that can be filtered by, in the order in which they are offered; null before the first answer.
    std::shared_ptr<const Labels> labels() const { return m_labels.answer; }
    void wantLabels();
    // Call when the data changed: answers are kept until they are queried again.
    void forget();

Q_SIGNALS:
    void changed(gpuledger::insight::Dimension dimension);
    void labelsChanged();

private:
    template <typename Answer> struct Entry {
        std::shared_ptr<const Answer> answer;
        quint64 of = 0; // generation of the data that the answer belongs to; 0: none
    };

    services::FleetService &m_fleet;
    TaskRunner &m_tasks;
    // Runs `question` unless `entry` is up to date; `answered` receives the answer.
    template <typename Answer, typename EntryOf, typename Question, typename Answered>
    void ask(EntryOf entry, Question question, Answered answered);

    std::map<insight::Dimension, Entry<Values>> m_entries;
    Entry<Labels> m_labels;
    quint64 m_generation = 1;
    std::stop_source m_stop;
};

} // namespace gpuledger::ui
