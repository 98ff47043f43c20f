"""One of PyMySQL, mysqlclient, mysql-connector-python and pyodbc through the steps of the contract (see README.md)."""

import datetime
import decimal
import json
import os
import sys
import threading

DRIVER = sys.argv[1]
SCENARIO = json.load(open(os.environ["SCENARIO"], encoding="utf-8"))
HOST = os.environ["MYSQL_HOST"]
PORT = int(os.environ["MYSQL_PORT"])
USER = os.environ["MYSQL_USER"]
PASSWORD = os.environ["MYSQL_PASSWORD"]
DATABASE = os.environ["MYSQL_DATABASE"]


def with_pymysql(tls, password, charset, several):
    import pymysql
    from pymysql.constants import CLIENT

    return pymysql.connect(
        host=HOST, port=PORT, user=USER, password=password, database=DATABASE, charset=charset,
        ssl={"check_hostname": False, "verify_mode": None} if tls else None, ssl_disabled=not tls,
        client_flag=CLIENT.MULTI_STATEMENTS if several else 0)


def with_mysqlclient(tls, password, charset, several):
    import MySQLdb

    return MySQLdb.connect(
        host=HOST, port=PORT, user=USER, password=password, database=DATABASE, charset=charset,
        ssl_mode="REQUIRED" if tls else "DISABLED", client_flag=65536 if several else 0)


COLLATIONS = {"utf8mb4": "utf8mb4_general_ci", "latin1": "latin1_swedish_ci",
              "gbk": "gbk_chinese_ci", "cp932": "cp932_japanese_ci"}


def with_connector(tls, password, charset, several):
    import mysql.connector

    return mysql.connector.connect(
        host=HOST, port=PORT, user=USER, password=password, database=DATABASE, charset=charset,
        collation=COLLATIONS[charset],
        ssl_disabled=not tls, ssl_verify_cert=False)


def with_pyodbc(tls, password, charset, several):
    import pyodbc

    options = (2 << 10) | (67108864 if several else 0)
    return pyodbc.connect(
        f"DRIVER={os.environ['ODBC_DRIVER']};SERVER={HOST};PORT={PORT};UID={USER};PWD={password};"
        f"DATABASE={DATABASE};OPTION={options};FORCETLS={int(tls)};SSLVERIFY=0;CHARSET={charset}",
        autocommit=True)


CONNECT = {"pymysql": with_pymysql, "mysqlclient": with_mysqlclient,
           "mysql-connector": with_connector, "pyodbc": with_pyodbc}[DRIVER]
MARK = "?" if DRIVER == "pyodbc" else "%s"


def connect(tls=True, password=PASSWORD, charset="utf8mb4", several=False):
    connection = CONNECT(tls, password, charset, several)
    connection.autocommit = True if DRIVER in ("mysql-connector", "pyodbc") else connection.autocommit
    if DRIVER in ("pymysql", "mysqlclient"):
        connection.autocommit(True)
    return connection


def set_autocommit(connection, on):
    if DRIVER in ("mysql-connector", "pyodbc"):
        connection.autocommit = on
    else:
        connection.autocommit(on)


def prepared(connection):
    return connection.cursor(prepared=True) if DRIVER == "mysql-connector" else connection.cursor()


def digits(value, places):
    return f"{value:%Y-%m-%d %H:%M:%S}.{value.microsecond:06d}" if places else f"{value:%Y-%m-%d}"


def said(value):
    if value is None:
        return None
    kind = type(value).__name__
    if isinstance(value, bool):
        return [kind, str(int(value))]
    if isinstance(value, float):
        text = repr(value)
        return [kind, text[:-2] if text.endswith(".0") else text]
    if isinstance(value, (bytes, bytearray)):
        return [kind, bytes(value).hex()]
    if isinstance(value, decimal.Decimal):
        return [kind, format(value, "f")]
    if isinstance(value, datetime.datetime):
        return [kind, digits(value, 6)]
    if isinstance(value, datetime.timedelta):
        seconds = value.days * 86400 + value.seconds
        return [kind, f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.{value.microseconds:06d}"]
    if isinstance(value, datetime.time):
        return [kind, f"{value:%H:%M:%S}.{value.microsecond:06d}"]
    return [kind, str(value)]


def rows_of(cursor):
    return [[said(value) for value in row] for row in cursor.fetchall()]


def names_of(cursor):
    return [column[0] for column in cursor.description]


def texts(rows):
    return [[None if value is None else value[1] for value in row] for row in rows]


def ask(connection, sql, values=None):
    cursor = connection.cursor()
    cursor.execute(sql, values) if values is not None else cursor.execute(sql)
    rows = rows_of(cursor)
    cursor.close()
    return rows


def change(connection, sql):
    cursor = connection.cursor()
    cursor.execute(sql)
    count = cursor.rowcount
    cursor.close()
    return count


def error_of(error):
    if DRIVER == "pyodbc":
        return {"state": error.args[0]}
    code = getattr(error, "errno", None) or error.args[0]
    state = getattr(error, "sqlstate", None)
    return {"code": code, **({"state": state} if state else {})}


def failure(work):
    try:
        work()
    except Exception as error:
        return error_of(error)
    return None


def parameter(kind, text):
    if text is None:
        return None
    if kind in ("integer", "unsigned"):
        return int(text)
    if kind in ("float", "double"):
        return float(text)
    if kind == "decimal":
        return decimal.Decimal(text)
    if kind == "date":
        return datetime.date.fromisoformat(text)
    if kind == "datetime":
        return datetime.datetime.fromisoformat(text)
    if kind == "time":
        return datetime.time.fromisoformat(text)
    if kind == "bytes":
        return bytes.fromhex(text)
    return text


def long_running(connection):
    """Runs the long query in a thread; gives its connection's id once others see it run, and how to await its error."""
    number = texts(ask(connection, "select connection_id()"))[0][0]
    outcome = []
    thread = threading.Thread(target=lambda: outcome.append(failure(lambda: ask(connection, SCENARIO["long"]))))
    thread.start()
    watcher = connect()
    while True:
        cursor = watcher.cursor()
        cursor.execute("show full processlist")
        names = names_of(cursor)
        seen = [dict(zip(names, row)) for row in cursor.fetchall()]
        cursor.close()
        if any(str(one["Id"]) == number and "numbers a" in str(one["Info"]) for one in seen):
            return number, watcher, lambda: (thread.join(), outcome[0])[1]


def step_tls():
    return {"rows": texts(ask(connect(), "select 1"))}


def step_plain():
    return {"rows": texts(ask(connect(tls=False), "select 1"))}


def step_wrong_password():
    return {"error": failure(lambda: connect(password="not it"))}


def step_database():
    return {"value": texts(ask(connect(), "select database()"))[0][0]}


def step_names():
    connection = connect()
    cursor = connection.cursor()
    cursor.execute(SCENARIO["names"]["sql"])
    return {"columns": names_of(cursor), "rows": texts(rows_of(cursor))}


def everything(cursor, where="", values=None):
    sql = "select * from everything " + where + " order by id"
    cursor.execute(sql, values) if values is not None else cursor.execute(sql)
    columns = names_of(cursor)
    return {"columns": columns, "rows": rows_of(cursor)}


def step_text_values():
    connection = connect()
    return everything(connection.cursor(), "where id < 4")


def step_binary_values():
    connection = connect()
    return everything(prepared(connection), f"where id < {MARK}", (4,))


def step_many():
    rows = texts(ask(connect(), "select id, label from numbers order by id"))
    return {"count": len(rows), "sum": str(sum(int(row[0]) for row in rows)),
            "bytes": sum(len(row[1].encode()) for row in rows), "last": rows[-1]}


def step_parameters():
    connection = connect()
    change(connection, "delete from everything where id = 4")
    cursor = prepared(connection)
    values = [parameter(column["kind"], text) for column, text in zip(SCENARIO["columns"], SCENARIO["added"])]
    cursor.execute(f"insert into everything values ({', '.join([MARK] * len(values))})", values)
    affected = cursor.rowcount
    return {"affected": affected, "rows": everything(prepared(connection), f"where id = {MARK}", (4,))["rows"]}


def store_hostile(connection, cursor, hostile=SCENARIO["hostile"]):
    change(connection, "delete from hostile")
    for at, text in enumerate(hostile):
        cursor.execute(f"insert into hostile values ({MARK}, {MARK})", (at, text))
    echoed = []
    for text in hostile:
        cursor.execute(f"select text from hostile where text = {MARK}", (text,))
        echoed.append(len(cursor.fetchall()))
    stored = texts(ask(connection, "select text from hostile order by id"))
    return {"values": [row[0] for row in stored], "found": echoed}


def step_hostile_prepared():
    connection = connect()
    return store_hostile(connection, prepared(connection))


def step_hostile_escaped():
    if DRIVER == "pyodbc":
        return {"not": "it sends every parameter apart from the text"}
    connection = connect(several=True)
    return store_hostile(connection, connection.cursor())


def step_no_backslash():
    connection = connect(several=True)
    change(connection, SCENARIO["noBackslash"]["sql"])
    return store_hostile(connection, connection.cursor(), SCENARIO["noBackslash"]["texts"])


def step_charsets():
    said = {}
    for charset in SCENARIO["charsets"]:
        def work():
            connection = connect(charset=charset["name"], several=True)
            said[charset["name"]] = store_hostile(connection, connection.cursor(), charset["texts"])
        error = failure(work)
        if error:
            said[charset["name"]] = {"error": error}
    return said


def step_latin1():
    connection = connect(charset="latin1")
    text = SCENARIO["latin1"]
    change(connection, "delete from hostile")
    cursor = connection.cursor()
    cursor.execute(f"insert into hostile values (1, {MARK})", (text,))
    echo = texts(ask(connection, "select text from hostile"))[0][0]
    return {"value": echo, "seen": texts(ask(connect(), "select text from hostile"))[0][0]}


def step_transaction():
    connection, other = connect(), connect()
    count = lambda of: texts(ask(of, "select count(*) from moved"))[0][0]
    change(connection, "delete from moved")
    set_autocommit(connection, False)
    seen = []
    change(connection, "insert into moved values (1)")
    seen += [count(connection), count(other)]
    connection.rollback()
    seen.append(count(connection))
    connection.commit()
    change(connection, "insert into moved values (2)")
    connection.commit()
    seen.append(count(other))
    set_autocommit(connection, True)
    change(connection, "insert into moved values (3)")
    return {"values": seen + [count(other)]}


def step_several():
    connection = connect(several=True)
    cursor = connection.cursor()
    cursor.execute(SCENARIO["several"])
    results = []
    while True:
        results.append(texts(rows_of(cursor)) if cursor.description else cursor.rowcount)
        if not cursor.nextset():
            return {"results": results}


def step_errors():
    connection = connect()
    return {"errors": [failure(lambda: change(connection, one["sql"])) for one in SCENARIO["errors"]],
            "rows": texts(ask(connection, "select 1"))}


def step_affected():
    connection = connect()
    change(connection, "delete from moved")
    return {"values": [change(connection, "insert into moved values (1), (2), (3)"),
                       change(connection, "update moved set id = id + 10 where id > 1"),
                       change(connection, "delete from moved where id = 1"),
                       change(connection, "delete from moved where id = 1")]}


def step_kill_query():
    connection = connect()
    number, watcher, ended = long_running(connection)
    change(watcher, f"kill query {number}")
    return {"error": ended(), "rows": texts(ask(connection, "select 1"))}


def step_kill():
    connection = connect()
    number, watcher, ended = long_running(connection)
    change(watcher, f"kill {number}")
    return {"isRefused": ended() is not None,
            "isLost": failure(lambda: ask(connection, "select 1")) is not None}


def step_metadata():
    connection = connect()
    if DRIVER == "pyodbc":
        here = texts(ask(connection, "select database()"))[0][0]
        cursor = connection.cursor()
        catalogs = sorted({row[0] for row in cursor.tables(catalog="%", schema="", table="")})
        tables = sorted(row.table_name for row in cursor.tables(catalog=here, tableType="TABLE"))
        columns = [[row.column_name, row.type_name, row.is_nullable] for row in cursor.columns(catalog=here, table="everything")]
        keys = [row.column_name for row in cursor.primaryKeys(catalog=here, table="everything")]
        return {"databases": catalogs, "tables": tables, "columns": columns, "keys": keys}
    first = lambda sql: sorted(row[0] for row in texts(ask(connection, sql)))
    columns = texts(ask(connection, "show columns from everything"))
    return {"databases": first("show databases"), "tables": first("show tables"),
            "columns": [row[:3] for row in columns], "keys": [row[0] for row in columns if row[3] == "PRI"]}


STEPS = [step_tls, step_plain, step_wrong_password, step_database, step_names, step_text_values,
         step_binary_values, step_many, step_parameters, step_hostile_prepared, step_hostile_escaped,
         step_no_backslash, step_charsets, step_latin1, step_transaction, step_several, step_errors, step_affected, step_kill_query, step_kill, step_metadata]

for step in STEPS:
    name = step.__name__.removeprefix("step_").replace("_", "-")
    try:
        print(json.dumps({"step": name, **step()}), flush=True)
    except Exception as error:
        print(json.dumps({"step": name, "failed": f"{type(error).__name__}: {error}"}), flush=True)
