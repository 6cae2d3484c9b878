// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/shell/navigator.h"

#include <utility>

namespace gpuledger::ui {

namespace {

constexpr QLatin1String kScheme("gpuledger");
constexpr QLatin1String kInner("at."); // prefix of the keys that belong to the page
constexpr QLatin1String kInnerCost("at.cost");

} // namespace

QUrl Place::toUrl() const
{
    QUrlQuery query = scope.toQuery();
    for (const auto &[key, value] : inner.queryItems(QUrl::FullyEncoded))
        query.addQueryItem(kInner + key, value);
    QUrl url;
    url.setScheme(kScheme);
    url.setHost(page);
    url.setQuery(query);
    return url;
}

std::optional<Place> Place::fromUrl(const QUrl &url)
{
    if (!url.isValid() || url.scheme() != kScheme || url.host().isEmpty() || url.path().size() > 1)
        return std::nullopt;
    Place place;
    place.page = url.host();
    QUrlQuery outer;
    for (const auto &[key, value] : QUrlQuery(url).queryItems(QUrl::FullyEncoded)) {
        if (key == kInnerCost) // older links to a statement
            outer.addQueryItem(key.mid(kInner.size()), value);
        else if (key.startsWith(kInner))
            place.inner.addQueryItem(key.mid(kInner.size()), value);
        else
            outer.addQueryItem(key, value);
    }
    auto scope = Scope::fromQuery(outer);
    if (!scope)
        return std::nullopt;
    place.scope = std::move(*scope);
    return place;
}

Navigator::Navigator(Place start, QObject *parent)
    : QObject(parent)
{
    m_places.push_back(std::move(start));
}

void Navigator::go(const Place &place)
{
    if (place == current())
        return;
    m_places.resize(m_at + 1);
    m_places.push_back(place);
    if (m_places.size() > kSteps)
        m_places.erase(m_places.begin());
    m_at = m_places.size() - 1;
    Q_EMIT moved();
}

void Navigator::openPage(const QString &page, const QUrlQuery &inner)
{
    go({page, scope(), inner});
}

void Navigator::setScope(const Scope &scope)
{
    Place place = current();
    place.scope = scope;
    go(place);
}

void Navigator::setInner(const QUrlQuery &inner)
{
    Place place = current();
    place.inner = inner;
    go(place);
}

void Navigator::back()
{
    if (!canGoBack())
        return;
    --m_at;
    Q_EMIT moved();
}

void Navigator::forward()
{
    if (!canGoForward())
        return;
    ++m_at;
    Q_EMIT moved();
}

} // namespace gpuledger::ui
