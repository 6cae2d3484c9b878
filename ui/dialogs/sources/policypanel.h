// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/sourcekind.h"
#include "widgets/theme/theme.h"

#include <QCoreApplication>
#include <QWidget>

class QVBoxLayout;

namespace gpuledger::ui {

// The rights that the account of a source needs at the other side: what each allows, and its policy to be copied there.
// Rights without a policy are left out. Owned by its parent; GUI thread.
class PolicyPanel : public QWidget {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::SourceDialog)
public:
    PolicyPanel(const widgets::Theme &theme, QWidget *parent = nullptr);

    // `mayStop`: with those for stopping. Hidden if there are none.
    void showRights(const ports::SourceKind &kind, bool mayStop);

private:
    void add(const ports::SourceRight &right);

    const widgets::Theme &m_theme;
    QVBoxLayout *m_rights;
    std::string m_kind;
    bool m_mayStop = false;
};

} // namespace gpuledger::ui
