// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/assumptions/assumptions.h"
#include "widgets/theme/theme.h"

#include <QFrame>
#include <QString>

class QVBoxLayout;

namespace gpuledger::ui {

// The editor of one assumption: a number with its unit, or a week to paint. Each change is emitted at once. Escape or a
// click elsewhere closes it. Deletes itself when closed; GUI thread.
class AssumptionPopup : public QFrame {
    Q_OBJECT
public:
    // `now`: the values and the defaults when it opens.
    AssumptionPopup(const widgets::Theme &theme, const savings::AssumptionSpec &spec, const savings::Assumptions &now,
                    QWidget *parent);

    void openBelow(const QWidget &button);

    // "From 1 h to 168 h; default 1 h", and whether the configuration set the default.
    static QString limits(const savings::AssumptionSpec &spec, const savings::Assumptions &now);

Q_SIGNALS:
    void edited(const QString &value); // as it is written
    void resetRequested();
    void closed();

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void closeEvent(QCloseEvent *event) override;

private:
    static QStringList workDefaults(const savings::AssumptionSpec &spec, const savings::Assumptions &now);
    QWidget *numberField(std::int64_t number);
    QWidget *weekField(const std::string &value);

    const widgets::Theme &m_theme;
    const savings::AssumptionSpec &m_spec;
    QWidget *m_field = nullptr;
};

} // namespace gpuledger::ui
