// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/workspace.h"
#include "ui/viewmodels/taskrunner.h"

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

    // Both must outlive it.
    DimensionValues(services::Workspace &workspace, TaskRunner &tasks, QObject *parent = nullptr);
    ~DimensionValues() override;

    // What is known of it, perhaps of the data before the last sync; null before the first answer.
    std::shared_ptr<const Values> values(insight::Dimension dimension) const;
    // Asks unless the answer is there or under way; changed() tells of it.
    void want(insight::Dimension dimension);
    // The data are others: answers are kept until asked again.
    void forget();

Q_SIGNALS:
    void changed(gpuledger::insight::Dimension dimension);

private:
    struct Entry {
        std::shared_ptr<const Values> values;
        quint64 of = 0; // generation of the data that it tells or will tell; 0: none
    };

    services::Workspace &m_workspace;
    TaskRunner &m_tasks;
    std::map<insight::Dimension, Entry> m_entries;
    quint64 m_generation = 1;
    std::stop_source m_stop;
};

} // namespace gpuledger::ui
