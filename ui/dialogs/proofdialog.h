// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/proof/proof.h"
#include "ui/viewmodels/shell/latestquery.h"
#include "ui/viewmodels/tables/tablemodel.h"
#include "widgets/theme/theme.h"

#include <QDialog>

#include <memory>

class QGridLayout;
class QLabel;

namespace gpuledger::services {
class ConfigService;
class ProofService;
} // namespace gpuledger::services
namespace gpuledger::widgets {
class DataTable;
class StatePanel;
} // namespace gpuledger::widgets

namespace gpuledger::ui {

// The proof of a figure: its formula, inputs, prices, sources and source rows, and the value recomputed from the facts.
// Starts its query when opened; closing it cancels the query. Deletes itself when closed. GUI thread.
class ProofDialog : public QDialog {
    Q_OBJECT
public:
    // `config`, `proof` and `tasks` must outlive it. `title`: the display name of the figure.
    ProofDialog(const widgets::Theme &theme, const services::ConfigService &config, services::ProofService &proof,
                TaskRunner &tasks, insight::Figure figure, const QString &title, QWidget *parent = nullptr);

    bool settled() const { return !m_asker.isAsking(); }

private:
    QWidget *content();
    void ask();
    void showAnswer();
    void copyText() const;

    const widgets::Theme &m_theme;
    const services::ConfigService &m_config;
    services::ProofService &m_proof;
    const insight::Figure m_figure;
    TableModel m_rows;
    LatestQuery<insight::Proof> m_asker;
    widgets::StatePanel *m_panel = nullptr;
    widgets::DataTable *m_table = nullptr;
    QWidget *m_facts = nullptr;
    QLabel *m_leftOut = nullptr;
};

} // namespace gpuledger::ui
