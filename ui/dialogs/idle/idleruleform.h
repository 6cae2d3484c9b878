// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/settings.h"
#include "widgets/theme/theme.h"

#include <QString>
#include <QWidget>

#include <map>
#include <optional>

class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;

namespace gpuledger::ui {

// The fields of the idle rule: the threshold, the duration by kind of workload, and what is never stopped. Owned by its
// parent; GUI thread.
class IdleRuleForm : public QWidget {
    Q_OBJECT
public:
    IdleRuleForm(const widgets::Theme &theme, const model::IdleSettings &rule, QWidget *parent = nullptr);

    // The rule in the fields. std::nullopt if they are invalid; problem() says why.
    std::optional<model::IdleSettings> rule() const { return m_rule; }
    const QString &problem() const { return m_problem; }
    void setRule(const model::IdleSettings &rule);
    void setWindows(base::Seconds length); // of all kinds
    // Says at each window where the one in use comes from: "6 h, measured: …".
    void explainWindows(const std::map<model::WorkloadKind, QString> &texts);

Q_SIGNALS:
    void changed();

private:
    void addField(QFormLayout *form, const QString &name, const QString &help, QWidget *field);
    void addWindows(QFormLayout *form);
    void read();
    bool readWindows(model::IdleSettings &rule);
    bool readExceptions(model::IdleSettings &rule);

    const widgets::Theme &m_theme;
    model::IdleSettings m_before; // settings without a field stay as they were
    std::optional<model::IdleSettings> m_rule;
    QString m_problem;
    QDoubleSpinBox *m_threshold, *m_observed;
    std::map<model::WorkloadKind, QLineEdit *> m_windows;
    QPlainTextEdit *m_exceptions;
    bool m_isFilling = false;
};

} // namespace gpuledger::ui
