//! Rust's driver through the steps of the contract (see ../../README.md).

use mysql::consts::{ColumnFlags, ColumnType};
use mysql::prelude::*;
use mysql::{from_value, Column, Conn, Error, OptsBuilder, Params, SslOpts, TxOpts, Value};
use serde_json::{json, Map, Value as Json};
use std::{env, fs, thread};

type Said = Result<Json, Error>;

#[derive(Clone, Copy, Default)]
struct With {
    plain: bool,
    password: Option<&'static str>,
}

fn connect(with: With) -> Result<Conn, Error> {
    let text = |name: &str| env::var(name).unwrap();
    let password = with.password.map(str::to_owned).unwrap_or_else(|| text("MYSQL_PASSWORD"));
    let tls = SslOpts::default().with_danger_accept_invalid_certs(true).with_danger_skip_domain_validation(true);
    let options = OptsBuilder::new()
        .ip_or_hostname(Some(text("MYSQL_HOST")))
        .tcp_port(text("MYSQL_PORT").parse().unwrap())
        .user(Some(text("MYSQL_USER")))
        .pass(Some(password))
        .db_name(Some(text("MYSQL_DATABASE")))
        .prefer_socket(false)
        .ssl_opts((!with.plain).then_some(tls));
    Conn::new(options)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn is_bytes(column: &Column) -> bool {
    column.character_set() == 63
        && matches!(column.column_type(), ColumnType::MYSQL_TYPE_VAR_STRING | ColumnType::MYSQL_TYPE_STRING | ColumnType::MYSQL_TYPE_BLOB)
}

fn with_fraction(text: String) -> String {
    if text.contains('.') { text } else { text + ".000000" }
}

fn said(value: Value, column: &Column) -> Json {
    match value {
        Value::NULL => Json::Null,
        Value::Bytes(bytes) if is_bytes(column) => json!(["bytes", hex(&bytes)]),
        Value::Bytes(bytes) => {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            json!(["text", if column.column_type() == ColumnType::MYSQL_TYPE_TIME { with_fraction(text) } else { text }])
        }
        Value::Int(number) => json!(["int", number.to_string()]),
        Value::UInt(number) => json!(["uint", number.to_string()]),
        Value::Float(number) => json!(["float", number.to_string()]),
        Value::Double(number) => json!(["double", number.to_string()]),
        Value::Date(year, month, day, ..) if column.column_type() == ColumnType::MYSQL_TYPE_DATE => {
            json!(["date", format!("{year:04}-{month:02}-{day:02}")])
        }
        Value::Date(year, month, day, hour, minute, second, micro) => {
            json!(["date", format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{micro:06}")])
        }
        Value::Time(_, _, hour, minute, second, micro) => json!(["time", format!("{hour:02}:{minute:02}:{second:02}.{micro:06}")]),
    }
}

fn rows_of(rows: Vec<mysql::Row>) -> Vec<Vec<Json>> {
    let read = |row: mysql::Row| {
        let columns = row.columns();
        row.unwrap().into_iter().zip(columns.iter()).map(|(value, column)| said(value, column)).collect()
    };
    rows.into_iter().map(read).collect()
}

fn texts(rows: Vec<mysql::Row>) -> Vec<Vec<Json>> {
    let text = |value: Json| if value.is_null() { value } else { value[1].clone() };
    rows_of(rows).into_iter().map(|row| row.into_iter().map(text).collect()).collect()
}

fn ask(on: &mut Conn, sql: &str) -> Result<Vec<Vec<Json>>, Error> {
    Ok(texts(on.query(sql)?))
}

fn one(on: &mut Conn, sql: &str) -> Result<Json, Error> {
    Ok(ask(on, sql)?[0][0].clone())
}

fn change(on: &mut Conn, sql: &str) -> Result<u64, Error> {
    on.query_drop(sql)?;
    Ok(on.affected_rows())
}

fn failure<T>(outcome: Result<T, Error>) -> Json {
    match outcome {
        Ok(_) => Json::Null,
        Err(Error::MySqlError(error)) => json!({"code": error.code, "state": error.state}),
        Err(error) => json!({"message": error.to_string()}),
    }
}

fn parameter(kind: &str, text: &str) -> Value {
    match kind {
        "integer" => Value::Int(text.parse().unwrap()),
        "unsigned" => Value::UInt(text.parse().unwrap()),
        "float" => Value::Float(text.parse().unwrap()),
        "double" => Value::Double(text.parse().unwrap()),
        "bytes" => Value::Bytes((0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()),
        "date" | "datetime" => {
            let numbers: Vec<u32> = text.split(|letter: char| !letter.is_ascii_digit()).map(|part| part.parse().unwrap()).collect();
            let at = |place: usize| numbers.get(place).copied().unwrap_or(0);
            Value::Date(at(0) as u16, at(1) as u8, at(2) as u8, at(3) as u8, at(4) as u8, at(5) as u8, at(6))
        }
        "time" => {
            let numbers: Vec<u32> = text.split(|letter: char| !letter.is_ascii_digit()).map(|part| part.parse().unwrap()).collect();
            Value::Time(false, 0, numbers[0] as u8, numbers[1] as u8, numbers[2] as u8, numbers[3])
        }
        _ => Value::from(text),
    }
}

fn everything(on: &mut Conn, filter: &str, number: Option<i32>) -> Said {
    let sql = format!("select * from everything where {filter} order by id");
    let rows: Vec<mysql::Row> = match number {
        Some(number) => on.exec(sql, (number,))?,
        None => on.query(sql)?,
    };
    let columns: Vec<String> = rows[0].columns_ref().iter().map(|column| column.name_str().into_owned()).collect();
    Ok(json!({"columns": columns, "rows": rows_of(rows)}))
}

fn strings(of: &Json) -> Vec<String> {
    of.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

fn hostile(texts: &Json, mut on: Conn) -> Said {
    change(&mut on, "delete from hostile")?;
    let all = strings(texts);
    let mut found = vec![];
    for (at, text) in all.iter().enumerate() {
        on.exec_drop("insert into hostile values (?, ?)", (at, text))?;
    }
    for text in &all {
        let rows: Vec<mysql::Row> = on.exec("select text from hostile where text = ?", (text,))?;
        found.push(rows.len());
    }
    Ok(json!({"values": firsts(&mut on, "select text from hostile order by id")?, "found": found}))
}

fn no_backslash(scenario: &Json) -> Said {
    let mut on = connect(With::default())?;
    on.query_drop(scenario["noBackslash"]["sql"].as_str().unwrap())?;
    hostile(&scenario["noBackslash"]["texts"], on)
}

/// It speaks utf8mb4 alone: whether a server would let it say otherwise.
fn charsets(scenario: &Json) -> Said {
    let mut said = Map::new();
    for charset in scenario["charsets"].as_array().unwrap() {
        let name = charset["name"].as_str().unwrap();
        let error = failure(connect(With::default())?.query_drop(format!("set names {name}")));
        said.insert(name.to_owned(), json!({"error": error}));
    }
    Ok(Json::Object(said))
}

fn firsts(on: &mut Conn, sql: &str) -> Result<Vec<Json>, Error> {
    Ok(ask(on, sql)?.into_iter().map(|row| row[0].clone()).collect())
}

/// Runs the long query, and the statement that ends it as soon as others see it run.
fn killed(scenario: &Json, statement: &str) -> Result<(Conn, Json), Error> {
    let mut on = connect(With::default())?;
    let number = one(&mut on, "select connection_id()")?;
    let sql = scenario["long"].as_str().unwrap().to_owned();
    let running = thread::spawn(move || {
        let error = failure(on.query::<mysql::Row, _>(sql));
        (on, error)
    });
    let mut watcher = connect(With::default())?;
    loop {
        let seen: Vec<mysql::Row> = watcher.query("show full processlist")?;
        let is_ours = |row: &mysql::Row| {
            let info: Option<String> = row.get_opt("Info").and_then(Result::ok).and_then(from_value_or_none);
            row.get::<i64, _>("Id").map(|id| id.to_string()) == number.as_str().map(str::to_owned)
                && info.unwrap_or_default().contains("numbers a")
        };
        if seen.iter().any(is_ours) {
            break;
        }
    }
    change(&mut watcher, &format!("{statement} {}", number.as_str().unwrap()))?;
    Ok(running.join().unwrap())
}

fn from_value_or_none(value: Value) -> Option<String> {
    from_value(value)
}

fn transaction() -> Said {
    let (mut on, mut other) = (connect(With::default())?, connect(With::default())?);
    let count = "select count(*) from moved";
    change(&mut on, "delete from moved")?;
    let mut seen = vec![];
    {
        let mut begun = on.start_transaction(TxOpts::default())?;
        begun.query_drop("insert into moved values (1)")?;
        let inside: Vec<mysql::Row> = begun.query(count)?;
        seen.push(texts(inside)[0][0].clone());
        seen.push(one(&mut other, count)?);
        begun.rollback()?;
    }
    seen.push(one(&mut on, count)?);
    change(&mut on, "set autocommit = 0")?;
    change(&mut on, "insert into moved values (2)")?;
    change(&mut on, "commit")?;
    seen.push(one(&mut other, count)?);
    change(&mut on, "set autocommit = 1")?;
    change(&mut on, "insert into moved values (3)")?;
    seen.push(one(&mut other, count)?);
    Ok(json!({"values": seen}))
}

fn several(scenario: &Json) -> Said {
    let mut on = connect(With::default())?;
    let mut results = vec![];
    let mut answer = on.query_iter(scenario["several"].as_str().unwrap())?;
    while let Some(set) = answer.iter() {
        let affected = set.affected_rows();
        let has_columns = !set.columns().as_ref().is_empty();
        let rows = set.collect::<Result<Vec<_>, _>>()?;
        results.push(if has_columns { json!(texts(rows)) } else { json!(affected) });
    }
    Ok(json!({"results": results}))
}

fn many() -> Said {
    let rows = ask(&mut connect(With::default())?, "select id, label from numbers order by id")?;
    let text = |row: &Vec<Json>, at: usize| row[at].as_str().unwrap().to_owned();
    let sum: i64 = rows.iter().map(|row| text(row, 0).parse::<i64>().unwrap()).sum();
    let bytes: usize = rows.iter().map(|row| text(row, 1).len()).sum();
    Ok(json!({"count": rows.len(), "sum": sum.to_string(), "bytes": bytes, "last": rows[rows.len() - 1]}))
}

fn parameters(scenario: &Json) -> Said {
    let mut on = connect(With::default())?;
    change(&mut on, "delete from everything where id = 4")?;
    let kinds = scenario["columns"].as_array().unwrap().iter().map(|column| column["kind"].as_str().unwrap());
    let values: Vec<Value> = kinds.zip(strings(&scenario["added"])).map(|(kind, text)| parameter(kind, &text)).collect();
    let marks = vec!["?"; values.len()].join(", ");
    on.exec_drop(format!("insert into everything values ({marks})"), Params::Positional(values))?;
    let affected = on.affected_rows();
    Ok(json!({"affected": affected, "rows": everything(&mut on, "id = ?", Some(4))?["rows"]}))
}

fn names(scenario: &Json) -> Said {
    let rows: Vec<mysql::Row> = connect(With::default())?.query(scenario["names"]["sql"].as_str().unwrap())?;
    let columns: Vec<String> = rows[0].columns_ref().iter().map(|column| column.name_str().into_owned()).collect();
    Ok(json!({"columns": columns, "rows": texts(rows)}))
}

fn errors(scenario: &Json) -> Said {
    let mut on = connect(With::default())?;
    let all: Vec<Json> = scenario["errors"].as_array().unwrap().iter()
        .map(|error| failure(on.query_drop(error["sql"].as_str().unwrap()))).collect();
    Ok(json!({"errors": all, "rows": ask(&mut on, "select 1")?}))
}

fn affected() -> Said {
    let mut on = connect(With::default())?;
    change(&mut on, "delete from moved")?;
    let counts = ["insert into moved values (1), (2), (3)", "update moved set id = id + 10 where id > 1",
        "delete from moved where id = 1", "delete from moved where id = 1"].map(|sql| change(&mut on, sql));
    Ok(json!({"values": counts.into_iter().collect::<Result<Vec<_>, _>>()?}))
}

fn metadata() -> Said {
    let mut on = connect(With::default())?;
    let statement = on.prep("select * from everything where id = ?")?;
    let columns: Vec<Json> = statement.columns().iter().map(|column| {
        json!([column.name_str(), format!("{:?}", column.column_type()), !column.flags().contains(ColumnFlags::NOT_NULL_FLAG)])
    }).collect();
    let keys: Vec<Json> = ask(&mut on, "show columns from everything")?.into_iter()
        .filter(|row| row[3] == "PRI").map(|row| row[0].clone()).collect();
    Ok(json!({"databases": firsts(&mut on, "show databases")?, "tables": firsts(&mut on, "show tables")?,
        "columns": columns, "keys": keys}))
}

fn run(step: &str, scenario: &Json) -> Said {
    match step {
        "tls" => Ok(json!({"rows": ask(&mut connect(With::default())?, "select 1")?})),
        "plain" => Ok(json!({"rows": ask(&mut connect(With { plain: true, ..With::default() })?, "select 1")?})),
        "wrong-password" => Ok(json!({"error": failure(connect(With { password: Some("not it"), ..With::default() }))})),
        "database" => Ok(json!({"value": one(&mut connect(With::default())?, "select database()")?})),
        "names" => names(scenario),
        "text-values" => everything(&mut connect(With::default())?, "id < 4", None),
        "binary-values" => everything(&mut connect(With::default())?, "id < ?", Some(4)),
        "many" => many(),
        "parameters" => parameters(scenario),
        "hostile-prepared" => hostile(&scenario["hostile"], connect(With::default())?),
        "hostile-escaped" => Ok(json!({"not": "it sends every parameter apart from the text"})),
        "no-backslash" => no_backslash(scenario),
        "charsets" => charsets(scenario),
        "latin1" => Ok(json!({"not": "it speaks utf8mb4 alone"})),
        "transaction" => transaction(),
        "several" => several(scenario),
        "errors" => errors(scenario),
        "affected" => affected(),
        "kill-query" => {
            let (mut on, error) = killed(scenario, "kill query")?;
            Ok(json!({"error": error, "rows": ask(&mut on, "select 1")?}))
        }
        "kill" => {
            let (mut on, error) = killed(scenario, "kill")?;
            Ok(json!({"isRefused": !error.is_null(), "isLost": on.query_drop("select 1").is_err()}))
        }
        _ => metadata(),
    }
}

const STEPS: [&str; 21] = ["tls", "plain", "wrong-password", "database", "names", "text-values", "binary-values", "many",
    "parameters", "hostile-prepared", "hostile-escaped", "no-backslash", "charsets", "latin1", "transaction", "several",
    "errors", "affected", "kill-query", "kill", "metadata"];

fn main() {
    let scenario: Json = serde_json::from_str(&fs::read_to_string(env::var("SCENARIO").unwrap()).unwrap()).unwrap();
    for step in STEPS {
        let mut said: Map<String, Json> = match run(step, &scenario) {
            Ok(said) => said.as_object().unwrap().clone(),
            Err(error) => Map::from_iter([("failed".to_owned(), json!(error.to_string()))]),
        };
        said.insert("step".to_owned(), json!(step));
        println!("{}", Json::Object(said));
    }
}
