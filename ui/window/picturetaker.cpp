// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/picturetaker.h"

#include <QCoreApplication>
#include <QPixmap>

#include <cstdio>
#include <utility>

namespace gpuledger::ui {

namespace {

constexpr int kQuietMs = 250;
constexpr int kLimitMs = 120'000;

} // namespace

PictureTaker::PictureTaker(MainWindow &window, QString file, QSize size, QObject *parent)
    : QObject(parent)
    , m_window(window)
    , m_file(std::move(file))
    , m_size(size)
{
    m_quiet.setSingleShot(true);
    m_quiet.setInterval(kQuietMs);
    m_limit.setSingleShot(true);
    m_limit.setInterval(kLimitMs);
    connect(&m_quiet, &QTimer::timeout, this, &PictureTaker::tryTaking);
    connect(&m_limit, &QTimer::timeout, this, [this] {
        std::fprintf(stderr, "gpuledger: the page did not load within two minutes\n");
        give(1);
    });
}

void PictureTaker::start()
{
    m_window.resize(m_size);
    m_window.show();
    m_limit.start();
    m_quiet.start();
    if (const Page *page = m_window.currentPage())
        connect(page, &Page::settledChanged, this, [this] { m_quiet.start(); });
}

void PictureTaker::tryTaking()
{
    const Page *page = m_window.currentPage();
    const bool isComplete = page && page->complete();
    // Once more: on a busy machine the answer and this timer come in one turn of the event loop, before the layouts.
    if (!std::exchange(m_wasComplete, isComplete) || !isComplete) {
        m_quiet.start();
        return;
    }
    const bool saved = m_window.grab().save(m_file, "PNG");
    if (!saved)
        std::fprintf(stderr, "gpuledger: could not write %s: is the folder there and can it be written?\n",
                     qPrintable(m_file));
    give(saved ? 0 : 1);
}

void PictureTaker::give(int status)
{
    m_limit.stop();
    m_quiet.stop();
    QCoreApplication::exit(status);
}

} // namespace gpuledger::ui
