// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/workspace/workspace.h"
#include "ui/viewmodels/shell/taskrunner.h"

#include <QObject>

#include <map>
#include <memory>
#include <stop_token>
#include <vector>

namespace gpuledger::ui {

// What filters can be set to, asked when wanted and kept until the data change. One a window; GUI thread; asks the
// workspace on workers and drops late answers.
class DimensionValues : public QObject {
    Q_OBJECT
public:
    using Values = std::vector<insight::DimensionValue>;
    using Labels = std::vector<insight::LabelUse>;

    // Both must outlive it.
    DimensionValues(services::Workspace &workspace, TaskRunner &tasks, QObject *parent = nullptr);
    ~DimensionValues() override;

    // What is known of it, perhaps of the data before the last sync; null before the first answer.
    std::shared_ptr<const Values> values(const insight::Dimension &dimension) const;
    // Asks unless the answer is there or under way; changed() tells of it.
    void want(const insight::Dimension &dimension);
    // The labels that can be filtered by, in the order in which they are offered; like the values.
    std::shared_ptr<const Labels> labels() const { return m_labels.answer; }
    void wantLabels();
    // The data are others: answers are kept until asked again.
    void forget();

Q_SIGNALS:
    void changed(gpuledger::insight::Dimension dimension);
    void labelsChanged();

private:
    template <typename Answer> struct Entry {
        std::shared_ptr<const Answer> answer;
        quint64 of = 0; // generation of the data that it tells or will tell; 0: none
    };

    services::Workspace &m_workspace;
    TaskRunner &m_tasks;
    // Asks with `question` unless `entry` tells of these data; `answered` is told of the answer.
    template <typename Answer, typename EntryOf, typename Question, typename Answered>
    void ask(EntryOf entry, Question question, Answered answered);

    std::map<insight::Dimension, Entry<Values>> m_entries;
    Entry<Labels> m_labels;
    quint64 m_generation = 1;
    std::stop_source m_stop;
};

} // namespace gpuledger::ui
