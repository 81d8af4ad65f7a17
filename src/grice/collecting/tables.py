"""What is kept: people, pairs, ratings, tests and discussions, the same in SQLite and in PostgreSQL."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    text,
)

metadata = MetaData()

meta = Table("meta", metadata, Column("key", String, primary_key=True), Column("value", Text, nullable=False))

# `outside` is the platform's id or the number of an invitation: the only thing known of a person.
persons = Table(
    "persons",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("outside", Text, unique=True),
    Column("arrived", Float, nullable=False),
    Column("consented", Float),
    Column("started", Float),
    Column("qualified", Boolean),
    Column("finished", Float),
    Column("excluded", Text),
    Column("labels", Text),
)

tests = Table(
    "tests",
    metadata,
    Column("person", ForeignKey("persons.id"), nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("passed", Boolean, nullable=False),
    Column("report", Text, nullable=False),
    Column("answers", Text, nullable=False),
    Column("at", Float, nullable=False),
    PrimaryKeyConstraint("person", "attempt"),
)

# `taken` counts live claims and answers of people who are not excluded. The database itself refuses a claim
# beyond what is asked, whatever the program does.
pairs = Table(
    "pairs",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("item", Text, nullable=False, unique=True),
    Column("kind", String(10), nullable=False),
    Column("premise", Text, nullable=False),
    Column("hypothesis", Text),
    Column("bundle", Integer, nullable=False),
    Column("wanted", Integer, nullable=False),
    Column("taken", Integer, nullable=False, default=0),
    Column("agreed", Text),
    Column("settled", Boolean, nullable=False, default=False),
    CheckConstraint("kind <> 'work' OR (taken >= 0 AND taken <= wanted)", name="never_more_than_asked"),
)
Index(
    "open_pairs",
    pairs.c.bundle,
    pairs.c.id,
    sqlite_where=text("kind = 'work' AND taken < wanted"),
    postgresql_where=text("kind = 'work' AND taken < wanted"),
)

# One row for each pair a person was shown, so nobody sees a pair twice. `state`: open, answered, skipped, expired.
ratings = Table(
    "ratings",
    metadata,
    Column("pair", ForeignKey("pairs.id"), nullable=False),
    Column("person", ForeignKey("persons.id"), nullable=False),
    Column("page", String(40), nullable=False),
    Column("position", Integer, nullable=False),
    Column("state", String(10), nullable=False),
    Column("shown", Float, nullable=False),
    Column("expires", Float, nullable=False),
    Column("at", Float),
    Column("seconds", Float),
    Column("value", Float),
    Column("label", Text),
    Column("raw", Integer),
    Column("fields", Text),
    Column("fault", Text),
    Column("draft", Text),
    PrimaryKeyConstraint("pair", "person"),
)
Index("ratings_of_person", ratings.c.person, ratings.c.state)
Index("ratings_of_page", ratings.c.page)
Index("open_ratings", ratings.c.expires, sqlite_where=text("state = 'open'"), postgresql_where=text("state = 'open'"))

statements = Table(
    "statements",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key", String(80), nullable=False, unique=True),
    Column("pair", ForeignKey("pairs.id"), nullable=False, index=True),
    Column("person", ForeignKey("persons.id"), nullable=False),
    Column("label", Text, nullable=False),
    Column("note", Text, nullable=False),
    Column("at", Float, nullable=False),
)
