-- SPDX-License-Identifier: GPL-3.0-or-later
-- Bills and the ledger of money. Amounts are nano-units of the item's currency; texts are rows of text, NULL for none.

-- What was imported whole, as one delivery; kept for ever, so that nothing is imported twice.
CREATE TABLE bill_delivery (
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL REFERENCES source (id),
    hashes TEXT NOT NULL UNIQUE, -- SHA-256 of its files, ascending
    imported_at INTEGER NOT NULL
) STRICT;

CREATE TABLE bill_file (
    delivery INTEGER NOT NULL REFERENCES bill_delivery (id),
    position INTEGER NOT NULL,
    path TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (delivery, position)
) STRICT, WITHOUT ROWID;

-- What is replaced as a whole. checksum: over the amounts and times of its lines in their order (app/store/billwriter).
CREATE TABLE bill_part (
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL REFERENCES source (id),
    account TEXT NOT NULL,
    period_start INTEGER NOT NULL,
    delivery INTEGER NOT NULL REFERENCES bill_delivery (id),
    lines INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    UNIQUE (source, account, period_start)
) STRICT;
CREATE INDEX bill_part_delivery ON bill_part (delivery);

-- What lines of a part have in common: everything but times, amounts and quantities.
CREATE TABLE bill_item (
    id INTEGER PRIMARY KEY, -- part << 32 | number
    period_end INTEGER NOT NULL,
    currency TEXT NOT NULL,
    category INTEGER NOT NULL,
    charge_class INTEGER NOT NULL,
    frequency INTEGER NOT NULL,
    pricing INTEGER NOT NULL,
    commitment_category INTEGER NOT NULL,
    commitment_status INTEGER NOT NULL,
    reservation_status INTEGER NOT NULL,
    list_unit_price TEXT, -- decimal
    contracted_unit_price TEXT,
    account_name INTEGER,
    account_type INTEGER,
    sub_account INTEGER,
    sub_account_name INTEGER,
    sub_account_type INTEGER,
    invoice INTEGER,
    invoice_issuer INTEGER,
    pricing_currency INTEGER,
    description INTEGER,
    pricing_unit INTEGER,
    consumed_unit INTEGER,
    provider INTEGER,
    publisher INTEGER,
    service_category INTEGER,
    service_subcategory INTEGER,
    service INTEGER,
    sku INTEGER,
    sku_price INTEGER,
    sku_meter INTEGER,
    resource INTEGER,
    resource_name INTEGER,
    resource_type INTEGER,
    region INTEGER,
    region_name INTEGER,
    zone INTEGER,
    commitment INTEGER,
    commitment_name INTEGER,
    commitment_type INTEGER,
    commitment_unit INTEGER,
    reservation INTEGER,
    tags INTEGER, -- JSON objects
    sku_details INTEGER,
    extra INTEGER
) STRICT;

CREATE TABLE bill_line (
    id INTEGER PRIMARY KEY, -- part << 32 | number in the delivery's order
    item INTEGER NOT NULL,
    file INTEGER NOT NULL,
    row INTEGER NOT NULL,
    charge_start INTEGER NOT NULL,
    charge_end INTEGER NOT NULL,
    billed INTEGER NOT NULL,
    effective INTEGER NOT NULL,
    list INTEGER,
    contracted INTEGER,
    pricing_quantity TEXT, -- decimal
    consumed_quantity TEXT,
    commitment_quantity TEXT,
    extra TEXT -- JSON object: columns of its own
) STRICT;

-- Each item's share of a UTC day, split by time from its lines (app/model/money/billdays.h). quantity: consumed, in millionths
-- of its unit, NULL where a line does not say. whole: its amounts could not be told by day. covers: usage of a few days
-- at most, so that the provider's bill speaks for this day.
CREATE TABLE bill_day (
    day INTEGER NOT NULL,
    item INTEGER NOT NULL,
    whole INTEGER NOT NULL,
    billed INTEGER NOT NULL,
    effective INTEGER NOT NULL,
    quantity INTEGER,
    covers INTEGER NOT NULL,
    lines INTEGER NOT NULL,
    PRIMARY KEY (day, item, whole)
) STRICT, WITHOUT ROWID;

-- What the lines of a part say of a UTC day, added up beside the items; the lines of the ledger must come to the same.
CREATE TABLE bill_sum (
    part INTEGER NOT NULL REFERENCES bill_part (id),
    day INTEGER NOT NULL,
    currency TEXT NOT NULL,
    billed INTEGER NOT NULL,
    effective INTEGER NOT NULL,
    PRIMARY KEY (part, day, currency)
) STRICT, WITHOUT ROWID;
CREATE INDEX bill_sum_day ON bill_sum (day);

-- The ledger: see app/model/money/ledgerline.h. Written with the facts and bills that it follows from.
CREATE TABLE ledger_key (
    id INTEGER PRIMARY KEY,
    currency TEXT NOT NULL,
    category INTEGER NOT NULL,
    origin INTEGER NOT NULL,
    match INTEGER NOT NULL,
    source TEXT NOT NULL,
    team TEXT NOT NULL,
    state TEXT NOT NULL,
    workload_kind TEXT NOT NULL,
    environment TEXT NOT NULL,
    account TEXT NOT NULL,
    account_name TEXT NOT NULL,
    service TEXT NOT NULL,
    cloud TEXT NOT NULL,
    region TEXT NOT NULL,
    cluster TEXT NOT NULL,
    gpu_model TEXT NOT NULL,
    UNIQUE (currency, category, origin, match, source, team, state, workload_kind, environment, account, account_name,
        service, cloud, region, cluster, gpu_model)
) STRICT;

CREATE TABLE ledger_line (
    day INTEGER NOT NULL,
    key INTEGER NOT NULL REFERENCES ledger_key (id),
    billed INTEGER NOT NULL,
    effective INTEGER NOT NULL,
    ticks INTEGER NOT NULL,
    unknown_time INTEGER NOT NULL,
    priced INTEGER NOT NULL,
    unpriced_ticks INTEGER NOT NULL,
    PRIMARY KEY (day, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX ledger_line_key ON ledger_line (key);

-- For people who ask by hand.
CREATE VIEW ledger_view AS
    SELECT date(l.day * 86400, 'unixepoch') AS day, k.currency, k.category, k.origin, k.match, k.source, k.team, k.state,
        k.workload_kind, k.environment, k.account, k.account_name, k.service, k.cloud, k.region, k.cluster, k.gpu_model,
        l.billed / 1e9 AS billed, l.effective / 1e9 AS effective, l.ticks / 9072000.0 AS gpu_hours,
        l.priced / 1e9 AS priced
    FROM ledger_line l JOIN ledger_key k ON k.id = l.key;
