// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fleets/tablesample.h"
#include "tests/support/suite.h"
#include "ui/viewmodels/tables/asciicollation.h"
#include "ui/viewmodels/tables/tableorder.h"

#include <QCollator>
#include <QRandomGenerator>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tst_tableorder {

using namespace gpuledger;
using namespace gpuledger::tests;
using ui::TableOrder;
using ui::TableValue;

namespace {

bool known(const TableValue &value)
{
    if (const auto *number = std::get_if<double>(&value))
        return !std::isnan(*number);
    const auto *text = std::get_if<QString>(&value);
    return text ? !text->isEmpty() : !std::holds_alternative<std::monostate>(value);
}

// A naive comparison of two rows, following the description in the interface.
bool before(const SampleTable &table, const QCollator &collator, int column, Qt::SortOrder order, int a, int b)
{
    const TableValue left = table.value(a, column);
    const TableValue right = table.value(b, column);
    if (known(left) != known(right))
        return known(left);
    int difference = 0;
    if (known(left)) {
        if (std::holds_alternative<QString>(left)) {
            difference = collator.compare(std::get<QString>(left), std::get<QString>(right));
        } else {
            const auto number = [](const TableValue &v) -> long double {
                return std::holds_alternative<qint64>(v) ? static_cast<long double>(std::get<qint64>(v))
                                                         : static_cast<long double>(std::get<double>(v));
            };
            difference = number(left) < number(right) ? -1 : number(left) > number(right) ? 1 : 0;
        }
    }
    if (order == Qt::DescendingOrder)
        difference = -difference;
    return difference != 0 ? difference < 0 : table.id(a) < table.id(b);
}

std::vector<int> all(int count)
{
    std::vector<int> rows(static_cast<std::size_t>(count));
    std::iota(rows.begin(), rows.end(), 0);
    return rows;
}

// Three rows of one column.
class Numbers : public ui::TableSnapshot {
public:
    explicit Numbers(std::vector<TableValue> values)
        : m_values(std::move(values))
    {
    }
    int rowCount() const override { return static_cast<int>(m_values.size()); }
    QString id(int row) const override { return QString::number(row); }
    TableValue value(int row, int) const override { return m_values[static_cast<std::size_t>(row)]; }
    QString text(int row, int) const override
    {
        const auto *text = std::get_if<QString>(&m_values[static_cast<std::size_t>(row)]);
        return text ? *text : QStringLiteral("–");
    }

private:
    std::vector<TableValue> m_values;
};

std::vector<int> sortedNumbers(std::vector<TableValue> values, Qt::SortOrder order)
{
    const bool text = std::any_of(values.begin(), values.end(),
                                  [](const TableValue &v) { return std::holds_alternative<QString>(v); });
    const auto table = std::make_shared<Numbers>(std::move(values));
    ui::TableColumn column{QStringLiteral("n"), QStringLiteral("N")};
    column.type = text ? ui::TableValueType::Text : ui::TableValueType::Number;
    TableOrder sorter(table, {column}, QLocale(QLocale::English));
    std::vector<int> rows = all(table->rowCount());
    sorter.sort(rows, 0, order);
    return rows;
}

} // namespace

class TestTableOrder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Names of pods and nodes are ordered without the collator, with the same result.
    void asciiKeysOrderAsTheCollator_data()
    {
        QTest::addColumn<QLocale>("locale");
        QTest::newRow("English") << QLocale(QLocale::English);
        QTest::newRow("German") << QLocale(QLocale::German);
    }

    void asciiKeysOrderAsTheCollator()
    {
        QFETCH(QLocale, locale);
        QCollator collator(locale);
        collator.setCaseSensitivity(Qt::CaseInsensitive);
        collator.setNumericMode(true);
        QRandomGenerator random(7);
        static const QString kOften = QStringLiteral("0012399aAbBzZ--//__..");
        std::vector<QString> texts{QStringLiteral("gpu-2"),
                                   QStringLiteral("gpu-10"),
                                   QStringLiteral("gpu-02"),
                                   QStringLiteral("0"),
                                   QStringLiteral("00"),
                                   QStringLiteral("a 0b"),
                                   QString()};
        for (int i = 0; i < 400; ++i) {
            QString text;
            for (int k = random.bounded(1, 7); k > 0; --k)
                text += random.bounded(2) ? kOften[random.bounded(static_cast<int>(kOften.size()))]
                                          : QChar(random.bounded(0x20, 0x7f));
            texts.push_back(text);
        }
        const auto ranks = ui::asciiRanks(collator, texts);
        QVERIFY(ranks.has_value());
        const auto sign = [](auto a, auto b) { return a < b ? -1 : b < a ? 1 : 0; };
        for (std::size_t a = 0; a < texts.size(); ++a) {
            for (std::size_t b = 0; b < texts.size(); ++b)
                QVERIFY2(sign((*ranks)[a], (*ranks)[b]) == sign(collator.compare(texts[a], texts[b]), 0),
                         qPrintable(texts[a] + QStringLiteral(" | ") + texts[b]));
        }
        texts.push_back(QStringLiteral("ä"));
        QVERIFY(!ui::asciiRanks(collator, texts).has_value());
        QVERIFY(!ui::asciiRanks(QCollator(QLocale(QLocale::Danish)), {QStringLiteral("aa")}).has_value());
    }

    // Many rows are sorted by their digits, with the same result as few rows.
    void manyRowsSortLikeFewOnes()
    {
        const auto table = sampleTable(randomRows(5000, 3));
        TableOrder sorter(table, sampleColumns(), QLocale(QLocale::English));
        QCollator collator{QLocale(QLocale::English)};
        collator.setCaseSensitivity(Qt::CaseInsensitive);
        collator.setNumericMode(true);
        for (int column = 0; column < static_cast<int>(sampleColumns().size()); ++column) {
            for (const auto order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
                std::vector<int> mine = all(table->rowCount());
                std::vector<int> naive = mine;
                sorter.sort(mine, column, order);
                std::stable_sort(naive.begin(), naive.end(),
                                 [&](int a, int b) { return before(*table, collator, column, order, a, b); });
                QCOMPARE(mine, naive);
            }
        }
    }

    void sortsLikeTheNaiveComparison_data()
    {
        QTest::addColumn<QLocale>("locale");
        QTest::newRow("English") << QLocale(QLocale::English);
        QTest::newRow("German") << QLocale(QLocale::German);
        QTest::newRow("C") << QLocale::c();
    }

    void sortsLikeTheNaiveComparison()
    {
        QFETCH(QLocale, locale);
        QCollator collator(locale.language() == QLocale::C ? QLocale(QLocale::English) : locale);
        collator.setCaseSensitivity(Qt::CaseInsensitive);
        collator.setNumericMode(true);
        for (quint32 seed = 1; seed <= 12; ++seed) {
            const auto table = sampleTable(randomRows(static_cast<int>(seed * seed * 3), seed));
            TableOrder sorter(table, sampleColumns(), locale);
            for (int column = 0; column < static_cast<int>(sampleColumns().size()); ++column) {
                for (const auto order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
                    std::vector<int> mine = all(table->rowCount());
                    std::vector<int> naive = mine;
                    sorter.sort(mine, column, order);
                    std::stable_sort(naive.begin(), naive.end(),
                                     [&](int a, int b) { return before(*table, collator, column, order, a, b); });
                    QCOMPARE(mine, naive);
                }
            }
        }
    }

    void filtersLikeTheNaiveSearch()
    {
        const QStringList filters{QString(),
                                  QStringLiteral("vision"),
                                  QStringLiteral("UBER"),
                                  QStringLiteral("  elan  3"),
                                  QStringLiteral("research notebook 1"),
                                  QStringLiteral("<b>"),
                                  QStringLiteral("=cmd"),
                                  QStringLiteral("ägypten"),
                                  QStringLiteral("nobody"),
                                  QStringLiteral("\t\n")};
        for (quint32 seed = 1; seed <= 8; ++seed) {
            const auto table = sampleTable(randomRows(static_cast<int>(seed * 40), seed));
            TableOrder order(table, sampleColumns(), QLocale(QLocale::English));
            for (const QString &filter : filters) {
                std::vector<int> naive;
                for (int row = 0; row < table->rowCount(); ++row) {
                    bool found = true;
                    for (const QString &word :
                         TableOrder::folded(filter).simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts))
                        found = found
                            && (TableOrder::folded(table->text(row, 0)).contains(word)
                                || TableOrder::folded(table->text(row, 1)).contains(word));
                    if (found)
                        naive.push_back(row);
                }
                QCOMPARE(order.filtered(filter), naive);
            }
        }
    }

    void foldsCaseAndAccents()
    {
        QCOMPARE(TableOrder::folded(QStringLiteral("ÜBER")), TableOrder::folded(QStringLiteral("uber")));
        QCOMPARE(TableOrder::folded(QStringLiteral("Straße")), TableOrder::folded(QStringLiteral("STRASSE")));
        QVERIFY(TableOrder::folded(QStringLiteral("gpu-1")) != TableOrder::folded(QStringLiteral("gpu-2")));
    }

    void neverFindsAWordAcrossCellsOrRows()
    {
        SampleRow first;
        first.id = first.workload = QStringLiteral("abc");
        first.owner = QStringLiteral("def");
        SampleRow second;
        second.id = second.workload = QStringLiteral("ghi");
        TableOrder order(sampleTable({first, second}), sampleColumns(), QLocale::c());
        QCOMPARE(order.filtered(QStringLiteral("cd")), std::vector<int>{});
        QCOMPARE(order.filtered(QStringLiteral("fg")), std::vector<int>{});
        QCOMPARE(order.filtered(QStringLiteral("abc ghi")), std::vector<int>{});
        QCOMPARE(order.filtered(QStringLiteral("def abc")), std::vector<int>{0});
    }

    void keepsWholeNumbersApartThatADoubleCannot()
    {
        const qint64 large = std::numeric_limits<qint64>::max();
        QCOMPARE(sortedNumbers({large, large - 1, -large}, Qt::AscendingOrder), (std::vector<int>{2, 1, 0}));
        QCOMPARE(sortedNumbers({large - 1, large, qint64{0}}, Qt::DescendingOrder), (std::vector<int>{1, 0, 2}));
    }

    void ordersNegativeZeroAndInfinity()
    {
        const double inf = std::numeric_limits<double>::infinity();
        QCOMPARE(sortedNumbers({inf, -1.0, -0.0, 0.0, -inf, 1.0}, Qt::AscendingOrder),
                 (std::vector<int>{4, 1, 2, 3, 5, 0}));
        QCOMPARE(sortedNumbers({0.0, -0.0, qint64{0}}, Qt::DescendingOrder), (std::vector<int>{0, 1, 2}));
    }

    void keepsUnknownLastBothWays()
    {
        const std::vector<TableValue> values{TableValue(), 2.0, std::nan(""), 1.0};
        QCOMPARE(sortedNumbers(values, Qt::AscendingOrder), (std::vector<int>{3, 1, 0, 2}));
        QCOMPARE(sortedNumbers(values, Qt::DescendingOrder), (std::vector<int>{1, 3, 0, 2}));
    }

    void countsNumbersInNames()
    {
        const auto name = [](const char *text) { return TableValue(QString::fromLatin1(text)); };
        QCOMPARE(sortedNumbers({name("gpu-10"), name("GPU-2"), name(""), name("gpu-1")}, Qt::AscendingOrder),
                 (std::vector<int>{3, 1, 0, 2}));
    }
};

GPULEDGER_SUITE(TestTableOrder)

} // namespace tst_tableorder

#include "tst_tableorder.moc"
