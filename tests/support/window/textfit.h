// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSet>
#include <QString>
#include <QStringList>

class QWidget;

namespace gpuledger::tests {

// One sentence for every visible label, button, table header, field and menu below `root` whose text needs more room
// than it has. A label that shows data may be truncated if its full text is shown on hover.
QStringList cutTexts(const QWidget &root);

// The same once layouts are stable: nested scroll areas are laid out one after another, which takes a while on a busy
// machine. Text that is still truncated after 10 s counts.
QStringList cutTextsAtRest(const QWidget &root);

// One sentence for every visible text below `root`, including tooltips and accessible texts, with words that are
// neither translated (see PseudoTranslator) nor data. `seen` counts the texts checked.
QStringList untranslatedTexts(const QWidget &root, const QSet<QString> &data, int &seen);

} // namespace gpuledger::tests
