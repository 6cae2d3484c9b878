// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/device/deviceadapter.h"
#include "widgets/theme/theme.h"

#include <QWidget>

#include <vector>

class QGridLayout;
class QLabel;

namespace gpuledger::ui {

// Names and values below each other; a long value takes two lines; an even longer one is elided and shown in
// full on hover. Plain text. Owned
// by its parent; GUI thread.
class FactList : public QWidget {
    Q_OBJECT
public:
    explicit FactList(const widgets::Theme &theme, QWidget *parent = nullptr);

    // `source` is shown on hover of every value, after the value's own text.
    void setFacts(const std::vector<DeviceFact> &facts, const QString &source);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Row {
        QLabel *name, *value;
        QString text;
    };
    void elide();

    const widgets::Theme &m_theme;
    QGridLayout *m_grid;
    std::vector<Row> m_rows;
};

} // namespace gpuledger::ui
