"""Database tables: people, pairs, ratings, tests and discussions, for SQLite and PostgreSQL."""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()

meta = sa.Table(
    "meta",
    metadata,
    sa.Column("key", sa.String, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)

# `list` is the person's list of the design, `replies` their answers to the campaign's questions.
# `outside` is the platform's id or the number of an invitation; with `study` and `session` of the
# platform it is all that is known of a person.
persons = sa.Table(
    "persons",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("outside", sa.Text, unique=True),
    sa.Column("study", sa.Text),
    sa.Column("session", sa.Text),
    sa.Column("arrived", sa.Float, nullable=False),
    sa.Column("consented", sa.Float),
    sa.Column("started", sa.Float),
    sa.Column("qualified", sa.Boolean),
    sa.Column("finished", sa.Float),
    sa.Column("excluded", sa.Text),
    sa.Column("labels", sa.Text),
    sa.Column("list", sa.Integer),
    sa.Column("practised", sa.Float),
    sa.Column("replies", sa.Text),
)

tests = sa.Table(
    "tests",
    metadata,
    sa.Column("person", sa.ForeignKey("persons.id"), nullable=False),
    sa.Column("attempt", sa.Integer, nullable=False),
    sa.Column("passed", sa.Boolean, nullable=False),
    sa.Column("report", sa.Text, nullable=False),
    sa.Column("answers", sa.Text, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.PrimaryKeyConstraint("person", "attempt"),
)

# `taken` counts live claims and answers of people who are not excluded. The database itself refuses
# a claim beyond what is asked, whatever the program does.
pairs = sa.Table(
    "pairs",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("item", sa.Text, nullable=False, unique=True),
    sa.Column("kind", sa.String(10), nullable=False),
    sa.Column("premise", sa.Text, nullable=False),
    sa.Column("hypothesis", sa.Text),
    sa.Column("bundle", sa.Integer, nullable=False),
    sa.Column("wanted", sa.Integer, nullable=False),
    sa.Column("taken", sa.Integer, nullable=False, default=0),
    sa.Column("agreed", sa.Text),
    sa.Column("settled", sa.Boolean, nullable=False, default=False),
    sa.CheckConstraint(
        "kind <> 'work' OR (taken >= 0 AND taken <= wanted)", name="never_more_than_asked"
    ),
)
_free = sa.text("kind = 'work' AND taken < wanted")
sa.Index("open_pairs", pairs.c.bundle, pairs.c.id, sqlite_where=_free, postgresql_where=_free)

# One row for each pair a person was shown, so nobody sees a pair twice. `state`: open, answered,
# skipped, expired. `ms` is the time to the first choice, by the browser's clock. `seal` is a
# checksum of the answer, computed when it was stored.
ratings = sa.Table(
    "ratings",
    metadata,
    sa.Column("pair", sa.ForeignKey("pairs.id"), nullable=False),
    sa.Column("person", sa.ForeignKey("persons.id"), nullable=False),
    sa.Column("page", sa.String(40), nullable=False),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("state", sa.String(10), nullable=False),
    sa.Column("shown", sa.Float, nullable=False),
    sa.Column("expires", sa.Float, nullable=False),
    sa.Column("at", sa.Float),
    sa.Column("seconds", sa.Float),
    sa.Column("ms", sa.Integer),
    sa.Column("value", sa.Float),
    sa.Column("label", sa.Text),
    sa.Column("raw", sa.Integer),
    sa.Column("fields", sa.Text),
    sa.Column("fault", sa.Text),
    sa.Column("draft", sa.Text),
    sa.Column("seal", sa.String(16)),
    sa.PrimaryKeyConstraint("pair", "person"),
)
sa.Index("ratings_of_person", ratings.c.person, ratings.c.state)
sa.Index("ratings_of_page", ratings.c.page)
_open = sa.text("state = 'open'")
sa.Index("open_ratings", ratings.c.expires, sqlite_where=_open, postgresql_where=_open)

# Every pair that was shown to someone, with the pair and the person; and the conditions of answers
# that count.
rated = ratings.join(pairs, ratings.c.pair == pairs.c.id).join(
    persons, ratings.c.person == persons.c.id
)
is_work = pairs.c.kind == "work"
is_answered = ratings.c.state == "answered"
is_counted = persons.c.excluded.is_(None)

statements = sa.Table(
    "statements",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("key", sa.String(80), nullable=False, unique=True),
    sa.Column("pair", sa.ForeignKey("pairs.id"), nullable=False, index=True),
    sa.Column("person", sa.ForeignKey("persons.id"), nullable=False),
    sa.Column("label", sa.Text, nullable=False),
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
)

# Audit log: changes to the campaign, by whom and when. Each line has a hash of the previous one.
audit = sa.Table(
    "audit",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("who", sa.Text, nullable=False),
    sa.Column("what", sa.Text, nullable=False),
    sa.Column("words", sa.Text, nullable=False),
    sa.Column("link", sa.String(64), nullable=False),
)
_refuse = (
    "CREATE TRIGGER audit_{0} BEFORE {0} ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is only"
    " appended to'); END"
)
_function = """CREATE OR REPLACE FUNCTION refuse_audit() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'the audit log is only appended to'; END $$"""
_trigger = (
    "CREATE TRIGGER audit_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON audit EXECUTE FUNCTION"
    " refuse_audit()"
)
for _dialect, _words in (
    ("sqlite", _refuse.format("UPDATE")),
    ("sqlite", _refuse.format("DELETE")),
    ("postgresql", _function),
    ("postgresql", _trigger),
):
    sa.event.listen(audit, "after_create", sa.DDL(_words).execute_if(dialect=_dialect))  # type: ignore[no-untyped-call]
