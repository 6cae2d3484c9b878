// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QWidget>

#include <string>
#include <vector>

class QGridLayout;
class QLabel;
class QLineEdit;

namespace gpuledger::ui {

// What a stop asks to be typed in full: the name of each object that can't be brought back, and of other controllers
// that manage something. Hidden where nothing is asked. GUI thread.
class TypedConsent : public QWidget {
    Q_OBJECT
public:
    explicit TypedConsent(const widgets::Theme &theme, QWidget *parent = nullptr);

    // A field for each name; the same names as before keep what was typed.
    void askNames(const std::vector<std::string> &names);
    bool isComplete() const; // each field has its name
    std::vector<std::string> names() const; // as they were typed
    // The first field that lacks its name; null where nothing is missing.
    QLineEdit *firstMissing() const;

    void askManagers(bool isAsked);
    std::vector<std::string> despite() const; // separated by commas or spaces

Q_SIGNALS:
    void changed();

private:
    const widgets::Theme &m_theme;
    QGridLayout *m_layout;
    std::vector<std::string> m_wanted;
    std::vector<QLabel *> m_labels;
    std::vector<QLineEdit *> m_fields; // of m_wanted
    QLabel *m_despiteLabel;
    QLineEdit *m_despite;
};

} // namespace gpuledger::ui
