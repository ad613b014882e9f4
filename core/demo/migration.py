"""The migration's databases, the same in every run: a shop's five tables of invented rows, and a leftover."""

from __future__ import annotations

from pathlib import Path

_FILES = Path(__file__).resolve().parents[2] / "data" / "demo" / "migration"
BRIEF_FILE = _FILES / "brief.toml"
LEGACY, TARGET = "legacy.db", "shop.db"
# How many rows each has, and the expressions of its columns over the row's number.
_TABLES = (
    ("customers", 3_000, "id INTEGER PRIMARY KEY, cst_nm TEXT, cst_mail TEXT",
     "n, 'Customer ' || n, 'customer' || n || '@example.com'"),
    ("products", 600, "id INTEGER PRIMARY KEY, ttl TEXT, prc INTEGER",
     "n, 'Product ' || n, 100 + (n * 37) % 9000"),
    ("orders", 9_400, "id INTEGER PRIMARY KEY, cst INTEGER, dt TEXT, st TEXT",
     "n, 1 + (n * 7) % 3000, date('2024-01-01', (n % 700) || ' days'), CASE n % 4 WHEN 0 THEN 'open' ELSE 'paid' END"),
    ("order_lines", 12_000, "ord INTEGER, prd INTEGER, qty INTEGER, prc INTEGER",
     "1 + (n * 3) % 9400, 1 + (n * 11) % 600, 1 + n % 5, 100 + (n * 37) % 9000"),
    ("payments", 3_000, "id INTEGER PRIMARY KEY, ord INTEGER, amt REAL, how TEXT",
     "n, 1 + (n * 3) % 9400, (n * 37 % 9000) / 100.0, CASE n % 3 WHEN 0 THEN 'card' ELSE 'transfer' END"),
)  # fmt: skip


def legacy_script(scale: int = 1) -> list[str]:
    """Answer the statements that make the old database; `scale` divides the number of rows."""
    statements = []
    for name, rows, columns, values in _TABLES:
        statements.append(f"CREATE TABLE {name} ({columns})")
        counted = f"WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < {max(rows // scale, 1)})"
        statements.append(f"INSERT INTO {name} {counted} SELECT {values} FROM c")
    return statements


def target_script() -> list[str]:
    """Answer the statements that make the new database: what an earlier import left in it."""
    return [
        "CREATE TABLE orders_import_2019 (id INTEGER PRIMARY KEY, note TEXT)",
        "INSERT INTO orders_import_2019 VALUES (1, 'left over'), (2, 'left over')",
    ]
