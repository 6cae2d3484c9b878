// SPDX-License-Identifier: GPL-3.0-or-later
// gpuledger-chart-window: the smallest possible window with one chart of Qt Charts; the reference for P6.
#include <QApplication>
#include <QMainWindow>
#include <QtCharts/QChart>
#include <QtCharts/QChartView>
#include <QtCharts/QLineSeries>

int main(int argc, char **argv)
{
    QApplication app(argc, argv);
    auto *series = new QLineSeries;
    for (int i = 0; i < 30; ++i)
        series->append(i, i * 7 % 11);
    auto *chart = new QChart;
    chart->addSeries(series);
    chart->createDefaultAxes();
    QMainWindow window;
    window.setCentralWidget(new QChartView(chart));
    window.resize(1280, 800);
    window.show();
    return QApplication::exec();
}
