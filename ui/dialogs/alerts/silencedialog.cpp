// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/alerts/silencedialog.h"

#include "ui/dialogs/dialogframe.h"
#include "ui/format/local/localtext.h"
#include "widgets/state/plaintext.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace gpuledger::ui {

using widgets::Color;
using widgets::TextSize;

namespace {

constexpr int kSilenceWidth = 460, kLongestSilenceReason = 500; // pixels, characters
constexpr std::array kSilenceLengths{base::Seconds{3600}, base::Seconds{4 * 3600}, base::Seconds{24 * 3600},
                                     base::Seconds{72 * 3600}, base::Seconds{168 * 3600}};
constexpr int kUsualSilence = 1; // of these

} // namespace

SilenceDialog::SilenceDialog(const widgets::Theme &theme, const QString &alert, QWidget *parent)
    : QDialog(parent)
    , m_length(new QComboBox(this))
    , m_reason(new QLineEdit(this))
{
    setWindowTitle(tr("Silence %1", "an alert").arg(widgets::plainLine(alert, 80)));
    setAttribute(Qt::WA_DeleteOnClose);
    setMinimumWidth(kSilenceWidth);
    for (const base::Seconds length : kSilenceLengths)
        m_length->addItem(LocalText::hours(length));
    m_length->setCurrentIndex(kUsualSilence);
    m_reason->setMaxLength(kLongestSilenceReason);
    QVBoxLayout *layout = dialogLayout(*this, theme);
    QFormLayout *form = dialogForm(theme);
    addField(*form, tr("For", "a length of time"), m_length);
    addField(*form, tr("Reason"), m_reason);
    layout->addLayout(form);
    QLabel *meaning = widgets::plainLabel(theme, tr("It is still evaluated and shown, but nothing is sent about it."),
                                          TextSize::Body, Color::Muted, QFont::Normal, this);
    meaning->setWordWrap(true);
    layout->addWidget(meaning);
    layout->addStretch();
    auto *cancel = new QPushButton(tr("Cancel"), this);
    auto *silence = new QPushButton(tr("Silence"), this);
    addDialogButtons(*this, *layout, theme, cancel, silence, DefaultButton::Action);
    connect(silence, &QPushButton::clicked, this, [this] {
        const auto at = static_cast<std::size_t>(std::max(0, m_length->currentIndex()));
        Q_EMIT confirmed(kSilenceLengths[at], m_reason->text().trimmed());
        accept();
    });
}

} // namespace gpuledger::ui
