// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/idle/idleviewmodel.h"
#include "widgets/theme/theme.h"

#include <QWidget>

#include <array>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace gpuledger::widgets {
class Sparkline;
struct SparklineData;
} // namespace gpuledger::widgets

namespace gpuledger::ui {

class IdleRowButtons;

// The right side of the Idle page: the owner of the current row, what its devices did, and the reasons for and against
// stopping it. Shows a view model; owned by its parent; GUI thread.
class IdleEvidencePanel : public QWidget {
    Q_OBJECT
public:
    IdleEvidencePanel(const widgets::Theme &theme, const IdleViewModel &model, QWidget *parent = nullptr);

    void showCurrent();
    IdleRowButtons *rowButtons() const { return m_rowButtons; }

Q_SIGNALS:
    void heatmapRequested();
    void deviceRequested(const QString &device, const QString &cluster);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    // A line over the last days with its name and figure.
    struct Gauge {
        QLabel *name = nullptr, *figure = nullptr;
        widgets::Sparkline *line = nullptr;
    };
    enum { Activity, Memory, Power, GaugeCount };
    struct Elided {
        QLabel *label;
        QString text;
    };

    void addGauges(QVBoxLayout *layout);
    void setElided(QLabel *label, const QString &text);
    void elide();
    void showIdle(const insight::IdleItem &item);
    void showUnknown(const insight::UnknownItem &item);
    void showBlocked(const insight::BlockedItem &item);
    void showGauges();
    void showGauge(Gauge &gauge, const QString &name, const QString &figure, widgets::SparklineData line);
    void offerDevices(const std::vector<std::string> &devices, const std::string &cluster);
    void clearReasons();
    void addReasons(const QString &title, const QStringList &reasons, const QString &mark);

    const widgets::Theme &m_theme;
    const IdleViewModel &m_model;
    QLabel *m_name, *m_where, *m_owner, *m_sinceName, *m_since, *m_cost, *m_span;
    std::array<Gauge, GaugeCount> m_gauges;
    QVBoxLayout *m_reasons;
    IdleRowButtons *m_rowButtons;
    QPushButton *m_heatmap;
    QPushButton *m_devices; // a button for one device, a menu for several
    std::vector<Elided> m_elided;
};

} // namespace gpuledger::ui
