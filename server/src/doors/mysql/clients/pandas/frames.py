"""Frames of pandas, written to a database and read again. Prints one line of JSON for each step."""
import datetime
import json
import sys

import numpy as np
import pandas as pd
from sqlalchemy import create_engine, inspect, text, types

engine = create_engine(sys.argv[1], connect_args={"ssl": {"check_hostname": False}} if "pymysql" in sys.argv[1] else {})
TABLES = ["frame_kinds", "frame_index", "frame_many"]


def say(step, value):
    print(json.dumps({"step": step, "value": value}, default=str), flush=True)


def shown(frame):
    """The kind of each column as pandas has it, and its values, in an order of their own."""
    rows = sorted(json.loads(frame.to_json(orient="values", date_format="iso", date_unit="us")), key=str)
    return [[[str(name), frame[name].dtype.kind] for name in frame.columns], rows]


def drop():
    with engine.begin() as connection:
        for name in TABLES:
            connection.execute(text(f"DROP TABLE IF EXISTS {name}"))


def kinds():
    return pd.DataFrame(
        {
            "whole": np.array([1, -(2**62), 2**62], dtype="int64"),
            "small": np.array([1, -5, 7], dtype="int32"),
            "real": [1.5, np.nan, -1e100],
            "truth": [True, False, True],
            "word": ["it's", None, 'é 日本 😀 \\ "q" %s'],
            "moment": pd.to_datetime(["2026-02-28 13:14:15.678901", None, "1999-12-31 23:59:59"], format="mixed"),
            "day": [datetime.date(2026, 2, 28), datetime.date(1970, 1, 1), None],
            "a name with spaces": ["x", "y", "z"],
        }
    )


drop()
try:
    frame = kinds()
    say("written", frame.to_sql("frame_kinds", engine, index=False, if_exists="fail"))
    say("table", shown(pd.read_sql_table("frame_kinds", engine).drop(columns=["moment", "truth"])))
    say("query", shown(pd.read_sql("SELECT * FROM frame_kinds", engine).drop(columns=["moment"])))
    found = pd.read_sql(text("SELECT word FROM frame_kinds WHERE word = :word"), engine, params={"word": frame["word"][2]})
    say("parameter", found["word"].tolist())
    try:
        frame.to_sql("frame_kinds", engine, index=False, if_exists="fail")
        say("fail", "written")
    except ValueError as error:
        say("fail", str(error))
    say("appended", frame.to_sql("frame_kinds", engine, index=False, if_exists="append", method="multi"))
    say("count", pd.read_sql("SELECT count(*) AS n FROM frame_kinds", engine)["n"].tolist())
    say("replaced", frame[["whole", "word"]].to_sql("frame_kinds", engine, index=False, if_exists="replace"))
    say("columns", [column["name"] for column in inspect(engine).get_columns("frame_kinds")])

    indexed = pd.DataFrame({"n": [10, 20]}, index=pd.Index([1, 2], name="no"))
    indexed.to_sql("frame_index", engine, index=True, dtype={"n": types.Numeric(10, 2)})
    say("index", shown(pd.read_sql_table("frame_index", engine, index_col="no").reset_index()))
    say("indexes", [[one["name"], one["column_names"]] for one in inspect(engine).get_indexes("frame_index")])

    many = pd.DataFrame({"id": np.arange(5000), "label": [f"row {at}" for at in range(5000)]})
    many.to_sql("frame_many", engine, index=False, chunksize=1000, method="multi")
    parts = list(pd.read_sql("SELECT * FROM frame_many ORDER BY id", engine, chunksize=2000))
    say("parts", [len(part) for part in parts])
    say("sum", int(pd.concat(parts)["id"].sum()))
    moments = pd.read_sql("SELECT CAST('2026-02-28 13:14:15' AS DATETIME) AS at", engine, parse_dates=["at"])
    say("moment", str(moments["at"][0]))
finally:
    drop()
