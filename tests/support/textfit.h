// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSet>
#include <QString>
#include <QStringList>

class QWidget;

namespace gpuledger::tests {

// Every label, button, table header, field and menu in sight below `root` whose text needs more room than it has, one
// sentence each. A label that shows data may be cut where its whole text is told on hover.
QStringList cutTexts(const QWidget &root);

// The same once layouts rest: those of scroll areas within others come one after another, and late on a busy machine.
// What is cut for 10 s is cut.
QStringList cutTextsAtRest(const QWidget &root);

// Every text in sight below `root`, also on hover and for screen readers, with words that are neither translated (see
// PseudoTranslator) nor among the data, one sentence each. `seen` counts what was looked at.
QStringList untranslatedTexts(const QWidget &root, const QSet<QString> &data, int &seen);

} // namespace gpuledger::tests
