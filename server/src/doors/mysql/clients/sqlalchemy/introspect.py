"""What people do with a dialect: look at a database, and work with a table. Prints JSON: introspect.py URL"""

import json
import sys

from sqlalchemy import Column, Integer, MetaData, String, Table, create_engine, func, inspect, make_url, select, text

url = make_url(sys.argv[1])
# Encrypted, as docs/guide/mysql-clients.md says.
ENCRYPTED = {
    "pymysql": {"ssl": {"verify_mode": "none", "check_hostname": False}},
    "mysqldb": {"ssl_mode": "REQUIRED"},
    "mysqlconnector": {"ssl_verify_cert": False},
}
engine = create_engine(url, connect_args=ENCRYPTED[url.get_dialect().driver])
inspector = inspect(engine)
said = {"tables": sorted(inspector.get_table_names())}
said["keys"] = inspector.get_pk_constraint("everything")["constrained_columns"]
said["columns"] = [[column["name"], str(column["type"]), column["nullable"]] for column in inspector.get_columns("everything")]
# Reflected, then read through what was reflected.
everything = Table("everything", MetaData(), autoload_with=engine)
with engine.connect() as connection:
    said["rows"] = [[None if value is None else str(value) for value in row] for row in
                    connection.execute(select(everything.c.id, everything.c.a_text, everything.c.a_price, everything.c.a_moment)
                                       .where(everything.c.id < 4).order_by(everything.c.id))]
    said["count"] = connection.execute(select(func.count()).select_from(text("numbers"))).scalar()

# The dialect of StarRocks writes that server's own clauses into CREATE TABLE.
if engine.dialect.name != "starrocks":
    made = Table("made", MetaData(), Column("id", Integer, primary_key=True, autoincrement=False), Column("name", String(50)))
    made.drop(engine, checkfirst=True)
    made.create(engine)
    with engine.begin() as connection:
        connection.execute(made.insert(), [{"id": 1, "name": "O'Hara \\"}, {"id": 2, "name": "日本"}])
        connection.execute(made.update().where(made.c.id == 2).values(name="Nihon"))
    with engine.connect() as connection:
        connection.execute(made.delete())
        connection.rollback()
        said["made"] = [list(row) for row in connection.execute(select(made).order_by(made.c.id))]
    made.drop(engine)

print(json.dumps(said, ensure_ascii=False))
