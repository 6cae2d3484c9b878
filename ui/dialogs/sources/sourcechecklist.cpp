// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/sources/sourcechecklist.h"

#include "ui/dialogs/sources/commandconsentpanel.h"
#include "widgets/state/plaintext.h"

#include <QAccessible>
#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace gpuledger::ui {

using widgets::Color;
using widgets::TextSize;

namespace {

constexpr int kIconSide = 16;
constexpr char kRefreshIcon[] = "refresh"; // no-tr: icon name
constexpr char kCheckIcon[] = "check"; // no-tr: icon name
constexpr char kCriticalIcon[] = "critical"; // no-tr: icon name
constexpr char kInfoIcon[] = "info"; // no-tr: icon name
constexpr char kWarningIcon[] = "warning"; // no-tr: icon name
constexpr int kLongestLine = 600;

} // namespace

QWidget *iconLabel(const widgets::Theme &theme, const QString &icon, Color color, QWidget *parent)
{
    QLabel *label = widgets::plainLabel(QString(), parent);
    const auto dress = [&theme, label, icon, color] {
        label->setPixmap(theme.icon(icon, color).pixmap(QSize(kIconSide, kIconSide), label->devicePixelRatioF()));
    };
    QObject::connect(&theme, &widgets::Theme::changed, label, dress);
    dress();
    return label;
}

SourceChecklist::SourceChecklist(const widgets::Theme &theme, SourceTest &test, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_test(test)
    , m_lines(new QGridLayout)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(widgets::Space::Small));
    layout->addLayout(m_lines);
    layout->addWidget(new CommandConsentPanel(theme, test, this));
    setAccessibleName(tr("Result of the test"));
    m_lines->setHorizontalSpacing(theme.space(widgets::Space::Small));
    m_lines->setVerticalSpacing(theme.space(widgets::Space::Small));
    m_lines->setColumnStretch(2, 1);
    connect(&test, &SourceTest::changed, this, &SourceChecklist::rebuild);
    rebuild();
}

void SourceChecklist::rebuild()
{
    while (QLayoutItem *item = m_lines->takeAt(0)) {
        if (item->widget()) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
    m_row = 0;
    using State = SourceTest::State;
    setVisible(m_test.state() != State::Untested);
    setAccessibleDescription(m_test.summary());
    switch (m_test.state()) {
    case State::Untested:
        return;
    case State::Running:
        addLine(QLatin1String(kRefreshIcon), Color::Accent, tr("Testing"), m_test.summary(), {});
        break;
    case State::Usable:
        addLine(QLatin1String(kCheckIcon), Color::Good, tr("Usable"), m_test.summary(), {});
        break;
    case State::NotUsable:
        addLine(QLatin1String(kCriticalIcon), Color::Critical, tr("Not usable"), m_test.summary(), {});
        break;
    case State::Failed:
        addLine(QLatin1String(kCriticalIcon), Color::Critical, tr("Failed", "a test"), m_test.summary(), {});
        break;
    case State::NeedsConsent:
        addLine(QLatin1String(kWarningIcon), Color::Warning, tr("Needs consent", "a test"), m_test.summary(), {});
        break;
    case State::Stopped:
        addLine(QLatin1String(kInfoIcon), Color::Muted, tr("Stopped", "a test"), m_test.summary(), {});
        break;
    }
    for (const SourceCheck &check : m_test.checks()) {
        switch (check.level) {
        case SourceCheck::Level::Found:
            addLine(QLatin1String(kCheckIcon), Color::Good, tr("Found"), check.text, check.remedy);
            break;
        case SourceCheck::Level::Missing:
            addLine(QLatin1String(kWarningIcon), Color::Warning, tr("Missing"), check.text, check.remedy);
            break;
        case SourceCheck::Level::Problem:
            addLine(QLatin1String(kCriticalIcon), Color::Critical, tr("Problem"), check.text, check.remedy);
            break;
        }
    }
    if (!m_test.ownerLabels().isEmpty())
        addLine(QLatin1String(kInfoIcon), Color::Info, tr("Owners"),
                tr("Labels that could name the team: %1").arg(m_test.ownerLabels().join(QStringLiteral(", "))), {});
    if (!m_test.isRunning()) {
        QAccessibleEvent alert(this, QAccessible::Alert);
        QAccessible::updateAccessibility(&alert);
    }
}

void SourceChecklist::addLine(const QString &icon, Color color, const QString &word, const QString &text,
                              const QString &remedy)
{
    const auto cell = [this](const QString &content, Color ink, QFont::Weight weight) {
        QLabel *label =
            widgets::plainLabel(m_theme, widgets::plainLine(content, kLongestLine), TextSize::Body, ink, weight, this);
        label->setAlignment(Qt::AlignTop | Qt::AlignLeading);
        return label;
    };
    m_lines->addWidget(iconLabel(m_theme, icon, color, this), m_row, 0, Qt::AlignTop);
    m_lines->addWidget(cell(word, color, QFont::DemiBold), m_row, 1);
    for (const auto &[content, ink] : {std::pair(text, Color::Text), std::pair(remedy, Color::Muted)}) {
        if (content.isEmpty())
            continue;
        QLabel *line = cell(content, ink, QFont::Normal);
        line->setWordWrap(true);
        line->setTextInteractionFlags(Qt::TextSelectableByMouse);
        QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Minimum);
        policy.setHeightForWidth(true); // otherwise wrapped text is cut off
        line->setSizePolicy(policy);
        m_lines->addWidget(line, m_row++, 2);
    }
    if (text.isEmpty() && remedy.isEmpty())
        ++m_row;
}

} // namespace gpuledger::ui
