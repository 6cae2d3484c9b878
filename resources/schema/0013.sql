-- SPDX-License-Identifier: GPL-3.0-or-later
-- Pods that waited for GPUs: what they requested and when, whether or not they ever started. Times are seconds since 1970. What was fetched
-- before this version has no rows in waiting_known, so what waited then stays unknown.

-- subject: the row of the pod's name; uid, and the disjoint ranges of a pod and source, as in holder and holder_span. resource and node: rows of
-- text; gpus: of the resource; node: where it was placed in the end, NULL if that is unknown or it never was.
CREATE TABLE waiting_span (
    subject INTEGER NOT NULL REFERENCES subject (id),
    uid ANY NOT NULL,
    source INTEGER NOT NULL REFERENCES source (id),
    span_start INTEGER NOT NULL,
    span_end INTEGER NOT NULL,
    resource INTEGER NOT NULL REFERENCES text (id),
    gpus INTEGER NOT NULL,
    node INTEGER REFERENCES text (id),
    PRIMARY KEY (subject, uid, source, span_start)
) STRICT, WITHOUT ROWID;
CREATE INDEX waiting_span_end ON waiting_span (span_end, span_start);

-- When a source recorded which pods of a cluster waited: disjoint ranges that do not touch.
CREATE TABLE waiting_known (
    cluster INTEGER NOT NULL REFERENCES cluster (id),
    source INTEGER NOT NULL REFERENCES source (id),
    span_start INTEGER NOT NULL,
    span_end INTEGER NOT NULL,
    PRIMARY KEY (cluster, source, span_start)
) STRICT, WITHOUT ROWID;
