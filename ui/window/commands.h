// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"
#include "ui/viewmodels/shell/dimensionvalues.h"
#include "widgets/inputs/pickmodel.h"

#include <QObject>

#include <functional>
#include <vector>

namespace gpuledger::ui {

// An entry of the palette. Plain, translated text.
struct Command {
    QString text;
    QString detail; // its shortcut
    std::function<void()> run;
    QString also = {}; // other words for it
};

// The entries of the palette: commands, pages, time ranges, and the teams, workloads and devices in the data. Picking a
// name filters by it, picking a device opens it. One per window; GUI thread.
class Commands : public QObject {
    Q_OBJECT
public:
    Commands(const PageContext &context, std::vector<PageEntry> pages, DimensionValues &values,
             QObject *parent = nullptr);

    void add(Command command);
    // Queries the names; changed() signals that more entries are available.
    void prepare();
    std::vector<widgets::PickEntry> entries() const;
    // Returns false if there is no entry with that key.
    bool run(const QString &key);

Q_SIGNALS:
    void changed();
    void pageWanted(const QString &id);

private:
    void addNames(std::vector<widgets::PickEntry> &entries, const insight::Dimension &dimension) const;
    void addTeamsToOpen(std::vector<widgets::PickEntry> &entries) const;
    void openTeam(const QString &team);

    const PageContext m_context;
    const std::vector<PageEntry> m_pages;
    DimensionValues &m_values;
    std::vector<Command> m_commands;
};

} // namespace gpuledger::ui
