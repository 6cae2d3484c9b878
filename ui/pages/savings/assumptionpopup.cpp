// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/savings/assumptionpopup.h"

#include "app/savings/schedule/offhours.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/savings/savingstext.h"
#include "widgets/inputs/weekgrid.h"
#include "widgets/state/plaintext.h"

#include <QCloseEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScreen>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <climits>

namespace gpuledger::ui {

using savings::AssumptionSpec;
using savings::AssumptionType;
using widgets::Color;
using widgets::plainLabel;
using widgets::Space;
using widgets::TextSize;
using widgets::WeekGrid;

namespace {

// The unit of a number field: how many of the assumption's own units, and how it is written.
struct FieldUnit {
    std::int64_t factor = 1;
    QLatin1String written;
};

constexpr std::int64_t kLeastMinutes = 5 * 60; // of a default: what is shorter is edited in seconds

// The largest one in which the value, the default and the lower limit are whole and the default can be halved, at least
// roughly; hours may be one.
FieldUnit unitOf(const AssumptionSpec &spec, std::int64_t number)
{
    if (spec.type != AssumptionType::Duration)
        return {1, QLatin1String("")};
    const std::int64_t usual = savings::Assumptions{}.number(spec.name);
    for (const FieldUnit unit : {FieldUnit{3600, QLatin1String("h")}, FieldUnit{60, QLatin1String("m")}}) {
        if (unit.factor == 60 && usual < kLeastMinutes)
            continue;
        if (number % unit.factor == 0 && usual % unit.factor == 0 && spec.least % unit.factor == 0)
            return unit;
    }
    return {1, QLatin1String("s")};
}

int fieldValue(std::int64_t number, std::int64_t factor)
{
    return static_cast<int>(std::clamp<std::int64_t>(number / factor, INT_MIN, INT_MAX));
}

} // namespace

AssumptionPopup::AssumptionPopup(const widgets::Theme &theme, const AssumptionSpec &spec,
                                 const savings::Assumptions &now, QWidget *parent)
    : QFrame(parent, Qt::Popup)
    , m_theme(theme)
    , m_spec(spec)
{
    setAttribute(Qt::WA_DeleteOnClose);
    const QString name = SavingsText::assumptionName(spec.name);
    setAccessibleName(name);
    auto *layout = new QVBoxLayout(this);
    const int side = theme.space(Space::Medium);
    layout->setContentsMargins(side, side, side, side);
    layout->setSpacing(theme.space(Space::Small));
    layout->addWidget(plainLabel(theme, name, TextSize::Body, Color::Text, QFont::DemiBold, this));
    const std::string value = now.text(spec.name);
    m_field = spec.type == AssumptionType::WeekHours ? weekField(value) : numberField(now.number(spec.name));
    m_field->setAccessibleName(name);
    layout->addWidget(m_field);
    QLabel *help =
        plainLabel(theme, SavingsText::assumptionHelp(spec), TextSize::Body, Color::Muted, QFont::Normal, this);
    help->setWordWrap(true);
    layout->addWidget(help);
    if (spec.type == AssumptionType::WeekHours && value == spec.usual)
        layout->addWidget(plainLabel(theme, tr("Now the best policy: painting replaces it"), TextSize::Caption,
                                     Color::Text, QFont::Normal, this));
    QLabel *range = plainLabel(theme, limits(spec, now), TextSize::Caption, Color::Muted, QFont::Normal, this);
    range->setWordWrap(true);
    layout->addWidget(range);
    auto *buttons = new QHBoxLayout;
    auto *reset = new QPushButton(tr("Use default"), this);
    auto *done = new QPushButton(tr("Done"), this);
    buttons->addWidget(reset);
    buttons->addStretch();
    buttons->addWidget(done);
    layout->addLayout(buttons);
    connect(reset, &QPushButton::clicked, this, [this] {
        Q_EMIT resetRequested();
        close();
    });
    connect(done, &QPushButton::clicked, this, &QWidget::close);
}

QString AssumptionPopup::limits(const AssumptionSpec &spec, const savings::Assumptions &now)
{
    const auto shown = [&](std::int64_t number) {
        const std::string text = std::to_string(number);
        return SavingsText::assumptionValue(spec, spec.type == AssumptionType::Duration ? text + 's' : text);
    };
    const QString usual = SavingsText::assumptionValue(spec, now.usual(spec.name));
    const QString text = spec.type == AssumptionType::WeekHours
        ? tr("Space paints an hour, Enter a whole day. Default: %1").arg(usual)
        : tr("From %1 to %2; default %3", "limits of a value").arg(shown(spec.least), shown(spec.most), usual);
    QStringList lines{text};
    if (now.isConfigured(spec.name))
        lines << tr("The default is set in the configuration.");
    for (const auto &[work, value] : now.usualByWork(spec.name))
        lines << tr("For %1 work, the configuration says %2.", "a kind of work, a value")
                     .arg(LocalText::valueName(QString::fromLatin1(toString(work).data())),
                          SavingsText::assumptionValue(spec, value));
    return (lines + workDefaults(spec, now)).join(QLatin1Char('\n'));
}

// What the configuration says of kinds of work that has no value for all: of interruptions with how long a restart
// takes, of deadlines with how much later work may end.
QStringList AssumptionPopup::workDefaults(const AssumptionSpec &spec, const savings::Assumptions &now)
{
    const bool isRestart = spec.name == "restart", isSlack = spec.name == "spot-deadline-slack"; // no-tr: names
    QStringList lines;
    for (const model::WorkloadKind work : savings::kAssumedWork) {
        const QString kind = LocalText::valueName(QString::fromLatin1(toString(work).data()));
        if (const auto answer = now.statedOf(work, "interruptible"); isRestart && answer) // no-tr: a name
            lines << (*answer != 0
                          ? tr("The configuration says that %1 work may be interrupted.", "a kind of work")
                          : tr("The configuration says that %1 work must not be interrupted.", "a kind of work"))
                         .arg(kind);
        if (const auto deadline = now.statedOf(work, "deadline"); isSlack && deadline) // no-tr: a name
            lines << tr("The configuration says that %1 work must end within %2 of its start.",
                        "a kind of work, a length of time")
                         .arg(kind, LocalText::hours(base::Seconds{*deadline}));
    }
    return lines;
}

QWidget *AssumptionPopup::numberField(std::int64_t number)
{
    const FieldUnit unit = unitOf(m_spec, number);
    auto *field = new QSpinBox(this);
    field->setRange(fieldValue(m_spec.least, unit.factor), fieldValue(m_spec.most, unit.factor));
    field->setValue(fieldValue(number, unit.factor));
    field->setKeyboardTracking(false); // a number is complete once it is left
    if (m_spec.type == AssumptionType::Percent)
        field->setSuffix(tr(" %", "unit behind a number"));
    else if (unit.factor == 3600)
        field->setSuffix(tr(" h", "unit behind a number: hours"));
    else if (unit.factor == 60)
        field->setSuffix(tr(" min", "unit behind a number: minutes"));
    else if (m_spec.type == AssumptionType::Duration)
        field->setSuffix(tr(" s", "unit behind a number: seconds"));
    connect(field, &QSpinBox::valueChanged, this,
            [this, unit](int value) { Q_EMIT edited(QString::number(value) + unit.written); });
    return field;
}

QWidget *AssumptionPopup::weekField(const std::string &value)
{
    auto *field = new WeekGrid(m_theme, {}, tr("off", "an hour of the week"), tr("on", "an hour of the week"), this);
    if (const auto hours = savings::offHoursFrom(value)) // "best" is no set of hours: nothing is painted yet
        field->setHours(*hours);
    connect(field, &WeekGrid::painted, this, [this](const WeekGrid::Hours &hours) {
        Q_EMIT edited(QString::fromStdString(savings::offHoursText(hours)));
    });
    return field;
}

void AssumptionPopup::keyPressEvent(QKeyEvent *event)
{
    const bool ends = event->key() == Qt::Key_Escape
        || ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && qobject_cast<QSpinBox *>(m_field));
    if (!ends)
        return QFrame::keyPressEvent(event);
    close();
}

void AssumptionPopup::closeEvent(QCloseEvent *event)
{
    QFrame::closeEvent(event);
    Q_EMIT closed();
}

void AssumptionPopup::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(Color::Raised));
    painter.setPen(m_theme.color(Color::Outline));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void AssumptionPopup::openBelow(const QWidget &button)
{
    adjustSize();
    const bool mirrored = layoutDirection() == Qt::RightToLeft;
    QPoint at = button.mapToGlobal(
        QPoint(mirrored ? button.width() - width() : 0, button.height() + m_theme.space(Space::Tiny)));
    const QRect screen = button.screen()->availableGeometry();
    at.setX(qBound(screen.left(), at.x(), qMax(screen.left(), screen.right() - width())));
    at.setY(qBound(screen.top(), at.y(), qMax(screen.top(), screen.bottom() - height())));
    move(at);
    show();
    m_field->setFocus(Qt::PopupFocusReason);
    if (auto *field = qobject_cast<QSpinBox *>(m_field))
        field->selectAll();
}

} // namespace gpuledger::ui
