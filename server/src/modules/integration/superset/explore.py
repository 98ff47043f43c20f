"""Superset as its users have it, by its own API: a database, its tables, a dataset, SQL Lab, charts and a filter.

Prints one line of JSON for each step. Arguments: the URI of the database, the name of its database, a table."""
import json
import sys

from superset.app import create_app

uri, schema, table = sys.argv[1:4]
NAME, PASSWORD = "ada", "secret_2000"
app = create_app()
client = app.test_client()
headers = {}


def sign_in():
    """The tables of Superset itself, and an administrator."""
    with app.app_context():
        from flask_appbuilder import Model
        from superset.extensions import appbuilder, db

        Model.metadata.create_all(db.engine)
        manager = appbuilder.sm
        appbuilder.add_permissions(update_perms=True)
        manager.sync_role_definitions()
        admin = manager.find_role("Admin")
        manager.add_user(NAME, "Ada", "Lovelace", "ada@example.com", admin, PASSWORD)
        db.session.commit()
    answer = client.post(
        "/api/v1/security/login",
        json={"username": NAME, "password": PASSWORD, "provider": "db", "refresh": True},
    )
    headers["Authorization"] = "Bearer " + answer.json["access_token"]


def ask(method, path, **given):
    answer = client.open("/api/v1/" + path, method=method, headers=headers, follow_redirects=True, **given)
    if answer.status_code >= 300:
        raise SystemExit(f"{method} {path}: {answer.status_code} {answer.get_data(as_text=True)[:4000]}")
    return answer.json


def say(step, value):
    print(json.dumps({"step": step, "value": value}, default=str), flush=True)


def chart(dataset, columns=(), filters=(), grain=None):
    """What a chart asks for: the sum of the miles, by these columns or by time."""
    query = {
        "metrics": [{"expressionType": "SQL", "sqlExpression": "SUM(miles)", "label": "miles"}],
        "columns": list(columns),
        "filters": list(filters),
        "row_limit": 1000,
        "orderby": [],
    }
    if grain:
        axis = {"columnType": "BASE_AXIS", "sqlExpression": "left_at", "label": "left_at", "expressionType": "SQL"}
        query["columns"].append({**axis, "timeGrain": grain})
    answer = ask(
        "POST",
        "chart/data",
        json={
            "datasource": {"id": dataset, "type": "table"},
            "queries": [query],
            "result_format": "json",
            "result_type": "full",
        },
    )
    return answer["result"][0]["data"]


# Those below a day lose DATE() on their way: Superset rewrites the statement, and its library leaves it out.
GRAINS = ["P1D", "P1W", "P1M", "P3M", "P1Y", "1969-12-29T00:00:00Z/P1W"]

sign_in()
settings = {"database_name": "boathouse", "sqlalchemy_uri": uri}
say("test", ask("POST", "database/test_connection", json=settings)["message"])
database = ask("POST", "database/", json={**settings, "expose_in_sqllab": True})["id"]
say("schemas", ask("GET", f"database/{database}/schemas/")["result"])
listed = ask("GET", f"database/{database}/tables/?q=(force:!t,schema_name:{schema})")["result"]
say("tables", sorted([one["value"], one["type"]] for one in listed))
described = ask("GET", f"database/{database}/table_metadata/?name={table}&schema={schema}")
say("columns", [[one["name"], one["type"]] for one in described["columns"]])
lab = {"database_id": database, "schema": schema, "runAsync": False, "queryLimit": 100}
written = ask("POST", "sqllab/execute/", json={**lab, "client_id": "a", "sql": f"SELECT boat, miles FROM {table} ORDER BY id"})
say("sql-lab", [written["status"], written["data"]])
preview = ask("POST", "sqllab/execute/", json={**lab, "client_id": "b", "sql": described["selectStar"]})
say("preview", [preview["status"], len(preview["data"])])
dataset = ask("POST", "dataset/", json={"database": database, "schema": schema, "table_name": table})["id"]
found = ask("GET", f"dataset/{dataset}")["result"]
say("dataset", sorted([one["column_name"], bool(one["is_dttm"])] for one in found["columns"]))
say("filter-values", ask("GET", f"datasource/table/{dataset}/column/boat/values/")["result"])
say("grains", {grain: chart(dataset, grain=grain) for grain in GRAINS})
say("chart", chart(dataset, columns=["boat"]))
say("filter", chart(dataset, columns=["boat"], filters=[{"col": "boat", "op": "IN", "val": ["Ida", "it's"]}]))
between = "2026-05-01T09:00:00 : 2026-05-02T09:00:00"
say("range", chart(dataset, columns=["boat"], filters=[{"col": "left_at", "op": "TEMPORAL_RANGE", "val": between}]))
params = {"datasource": f"{dataset}__table", "viz_type": "echarts_timeseries_line"}
saved = ask(
    "POST",
    "chart/",
    json={
        "slice_name": "Miles",
        "viz_type": params["viz_type"],
        "datasource_id": dataset,
        "datasource_type": "table",
        "params": json.dumps(params),
    },
)
say("saved", saved["result"]["slice_name"])
