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

// The fields for names that have to be typed in full for a stop: of each object that cannot be restored, and of other
// controllers that manage an object. Hidden if nothing is required. GUI thread.
class TypedConsent : public QWidget {
    Q_OBJECT
public:
    explicit TypedConsent(const widgets::Theme &theme, QWidget *parent = nullptr);

    // One field for each name; if the names are unchanged, the typed text is kept.
    void askNames(const std::vector<std::string> &names);
    bool isComplete() const; // each field contains its name
    std::vector<std::string> names() const; // as typed
    // The first field without its name; null if nothing is missing.
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
    std::vector<QLineEdit *> m_fields; // one per entry of m_wanted
    QLabel *m_despiteLabel;
    QLineEdit *m_despite;
};

} // namespace gpuledger::ui
