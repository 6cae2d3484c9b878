// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/state/statepanel.h"

#include "widgets/state/busysign.h"
#include "widgets/state/plaintext.h"
#include "widgets/state/skeleton.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace gpuledger::widgets {

namespace {

constexpr int kMessageWidth = 480; // longer lines are hard to read
constexpr int kIconSide = 32;
constexpr int kProgressWidth = 280, kProgressHeight = 6, kProgressSteps = 1000;

QString literal(QString text)
{
    return text.replace(QLatin1Char('&'), QLatin1String("&&"));
}

// The strip above data that could not be refreshed.
class Banner : public QWidget {
public:
    Banner(const Theme &theme, QWidget *parent)
        : QWidget(parent)
        , m_theme(theme)
    {
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(m_theme.color(Color::Warning));
        painter.setBrush(m_theme.color(Color::Surface));
        const int radius = m_theme.radius(Radius::Card);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    }

private:
    const Theme &m_theme;
};

void setButton(QPushButton *button, const QString &text)
{
    button->setText(literal(text));
    button->setVisible(!text.isEmpty());
}

} // namespace

StatePanel::StatePanel(const Theme &theme, QWidget *content, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
{
    m_stack = new QStackedLayout(this);
    m_contentPage = new QWidget(this);
    auto *layout = new QVBoxLayout(m_contentPage);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(Space::Medium));
    m_banner = makeBanner();
    layout->addWidget(m_banner);
    layout->addWidget(content, 1);
    m_messagePage = makeMessage();
    m_skeleton = new Skeleton(theme, this);
    m_blank = new QWidget(this);
    for (QWidget *page : std::initializer_list<QWidget *>{m_contentPage, m_messagePage, m_skeleton, m_blank})
        m_stack->addWidget(page);
    m_busy = new BusySign(theme, m_contentPage);
    connect(&theme, &Theme::changed, this, &StatePanel::drawIcon);
    m_skeletonTimer.setSingleShot(true);
    m_skeletonTimer.setInterval(kSkeletonDelay);
    connect(&m_skeletonTimer, &QTimer::timeout, this, [this] { m_stack->setCurrentWidget(m_skeleton); });
}

void StatePanel::setBusy(bool busy)
{
    m_busy->setBusy(busy);
}

QWidget *StatePanel::makeMessage()
{
    auto *page = new QWidget(this);
    auto *column = new QVBoxLayout;
    column->setSpacing(m_theme.space(Space::Small));
    m_icon = plainLabel(QString(), page);
    m_title = plainLabel(m_theme, QString(), TextSize::Section, Color::Text, QFont::DemiBold, page);
    m_text = plainLabel(m_theme, QString(), TextSize::Body, Color::Text, QFont::Normal, page);
    m_remedy = plainLabel(m_theme, QString(), TextSize::Body, Color::Muted, QFont::Normal, page);
    for (QLabel *label : {m_icon, m_title, m_text, m_remedy}) {
        label->setWordWrap(label != m_icon);
        label->setAlignment(Qt::AlignHCenter);
        if (label != m_icon) {
            label->setFixedWidth(kMessageWidth);
            label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        }
        column->addWidget(label, 0, Qt::AlignHCenter);
    }
    m_progress = new QProgressBar(page);
    m_progress->setTextVisible(false);
    m_progress->setRange(0, kProgressSteps);
    m_progress->setFixedSize(kProgressWidth, kProgressHeight);
    m_progress->hide();
    column->addWidget(m_progress, 0, Qt::AlignHCenter);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(m_theme.space(Space::Small));
    m_action = new QPushButton(page);
    setPrimary(m_action);
    m_secondAction = new QPushButton(page);
    buttons->addStretch();
    buttons->addWidget(m_action);
    buttons->addWidget(m_secondAction);
    buttons->addStretch();
    column->addSpacing(m_theme.space(Space::Small));
    column->addLayout(buttons);
    auto *layout = new QVBoxLayout(page);
    // Slightly above the middle, where a single block looks centred.
    layout->addStretch(2);
    layout->addLayout(column);
    layout->addStretch(3);
    connect(m_action, &QPushButton::clicked, this, [this] { Q_EMIT actionTriggered(m_state); });
    connect(m_secondAction, &QPushButton::clicked, this, [this] { Q_EMIT secondActionTriggered(m_state); });
    return page;
}

QWidget *StatePanel::makeBanner()
{
    auto *banner = new Banner(m_theme, this);
    auto *layout = new QHBoxLayout(banner);
    layout->setContentsMargins(m_theme.space(Space::Medium), m_theme.space(Space::Small), m_theme.space(Space::Medium),
                               m_theme.space(Space::Small));
    layout->setSpacing(m_theme.space(Space::Small));
    auto *icon = plainLabel(QString(), banner);
    m_bannerText = plainLabel(m_theme, QString(), TextSize::Body, Color::Text, QFont::Normal, banner);
    m_bannerText->setWordWrap(true);
    m_bannerText->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_bannerAction = new QPushButton(banner);
    layout->addWidget(icon);
    layout->addWidget(m_bannerText, 1);
    layout->addWidget(m_bannerAction);
    const auto dress = [this, icon] {
        icon->setPixmap(
            m_theme.icon(QStringLiteral("warning"), Color::Warning).pixmap(QSize(20, 20), devicePixelRatioF()));
    };
    connect(&m_theme, &Theme::changed, banner, dress);
    dress();
    connect(m_bannerAction, &QPushButton::clicked, this, [this] { Q_EMIT actionTriggered(m_state); });
    banner->hide();
    return banner;
}

bool StatePanel::isContentShown() const
{
    return m_stack->currentWidget() == m_contentPage;
}

void StatePanel::showFirstRun(const StateMessage &message)
{
    m_hasData = false;
    present(State::FirstRun, message, QStringLiteral("connect"), Color::Accent);
}

void StatePanel::showProgress(const StateMessage &message, std::optional<double> done)
{
    const bool again = !m_progress->isHidden() && m_stack->currentWidget() == m_messagePage
        && m_state == State::FirstRun && m_title->text() == message.title;
    m_hasData = false;
    if (again)
        setMessage(message);
    else
        present(State::FirstRun, message, QStringLiteral("refresh"), Color::Accent);
    m_progress->setRange(0, done ? kProgressSteps : 0); // 0: busy, without an end
    m_progress->setValue(static_cast<int>(done.value_or(0) * kProgressSteps));
    m_progress->setAccessibleName(message.title);
    m_progress->setAccessibleDescription(message.text);
    m_progress->show();
}

void StatePanel::showLoading()
{
    m_state = State::Loading;
    const QWidget *shown = m_stack->currentWidget();
    if (m_hasData || shown == m_blank || shown == m_skeleton)
        return;
    m_stack->setCurrentWidget(m_blank);
    m_skeletonTimer.start();
}

void StatePanel::showData()
{
    m_skeletonTimer.stop();
    m_state = State::Data;
    m_hasData = true;
    m_banner->hide();
    m_stack->setCurrentWidget(m_contentPage);
}

void StatePanel::showEmpty(const StateMessage &message)
{
    m_hasData = false;
    present(State::Empty, message, QStringLiteral("empty"), Color::Muted);
}

void StatePanel::showError(const StateMessage &message, const QString &dataTime)
{
    if (!m_hasData)
        return present(State::Error, message, QStringLiteral("critical"), Color::Critical);
    m_state = State::Error;
    // A title has no full stop of its own, and stands in one line with the sentences here.
    const bool isSentence = message.title.isEmpty() || message.title.endsWith(QLatin1Char('.'));
    const QString title = isSentence ? message.title : message.title + QLatin1Char('.');
    QStringList parts{title, message.text, message.remedy, dataTime};
    parts.removeAll(QString());
    m_bannerText->setText(parts.join(QLatin1Char(' ')));
    setButton(m_bannerAction, message.action);
    m_banner->show();
    m_stack->setCurrentWidget(m_contentPage);
    announce(message);
}

void StatePanel::forgetData()
{
    m_hasData = false;
}

void StatePanel::present(State state, const StateMessage &message, const QString &icon, Color color)
{
    m_skeletonTimer.stop();
    m_state = state;
    m_iconName = icon;
    m_iconColor = color;
    drawIcon();
    m_progress->hide();
    setMessage(message);
    m_stack->setCurrentWidget(m_messagePage);
    announce(message);
}

void StatePanel::setMessage(const StateMessage &message)
{
    m_title->setText(message.title);
    m_text->setText(message.text);
    m_text->setVisible(!message.text.isEmpty());
    m_remedy->setText(message.remedy);
    m_remedy->setVisible(!message.remedy.isEmpty());
    // A layout gives an aligned label a height based on its own estimate, which cuts off wrapped text.
    for (QLabel *label : {m_title, m_text, m_remedy})
        fitHeight(*label, kMessageWidth);
    setButton(m_action, message.action);
    setButton(m_secondAction, message.secondAction);
}

void StatePanel::drawIcon()
{
    const QIcon icon = m_theme.icon(m_iconName, m_iconColor);
    m_icon->setPixmap(icon.pixmap(QSize(kIconSide, kIconSide), devicePixelRatioF()));
}

void StatePanel::announce(const StateMessage &message)
{
    m_messagePage->setAccessibleName(message.title);
    m_messagePage->setAccessibleDescription(message.text);
    QAccessibleEvent alert(m_state == State::Error && m_hasData ? m_banner : m_messagePage, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

} // namespace gpuledger::widgets
