// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/savings/savingssnapshot.h"

#include <QString>

// A proposal as a ticket in Markdown, to be pasted elsewhere. Names come from outside the program: nothing in them is
// markup, a link to a person or a line of its own. GUI thread.
namespace gpuledger::ui {

QString savingsTicket(const savings::Proposal &proposal, const SavingsSnapshot &snapshot);

// One line of text in which Markdown and HTML have no meaning.
QString markdownText(const QString &text);
// A code block that its content can't end.
QString markdownCode(const QString &text);

} // namespace gpuledger::ui
