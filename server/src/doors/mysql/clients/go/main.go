// Go's driver through the steps of the contract (see ../README.md).
package main

import (
	"context"
	"crypto/tls"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
)

type object = map[string]any

type scenario struct {
	Columns  []struct{ Name, Kind string }
	Added    []string
	Hostile  []string
	Charsets []struct {
		Name         string
		Texts, Bytes []string
	}
	NoBackslash struct {
		SQL   string
		Texts []string
	}
	Latin1  string
	Names   struct{ SQL string }
	Errors  []struct{ SQL string }
	Several string
	Long    string
}

var script scenario
var background = context.Background()

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

type options struct {
	plain, escaped, several bool
	password, charset       string
}

func open(with options) *sql.DB {
	config := mysql.NewConfig()
	config.User = os.Getenv("MYSQL_USER")
	config.Passwd = os.Getenv("MYSQL_PASSWORD")
	if with.password != "" {
		config.Passwd = with.password
	}
	config.Net = "tcp"
	config.Addr = os.Getenv("MYSQL_HOST") + ":" + os.Getenv("MYSQL_PORT")
	config.DBName = os.Getenv("MYSQL_DATABASE")
	config.ParseTime = true
	config.MultiStatements = with.several
	config.InterpolateParams = with.escaped
	if !with.plain {
		config.TLS = &tls.Config{InsecureSkipVerify: true}
	}
	if with.charset != "" {
		must(0, config.Apply(mysql.Charset(with.charset, "")))
	}
	return sql.OpenDB(must(mysql.NewConnector(config)))
}

// One connection, not a pool of them.
func connect(with options) *sql.Conn { return must(open(with).Conn(background)) }

func said(kind string, value any) any {
	switch it := value.(type) {
	case nil:
		return nil
	case []byte:
		if strings.Contains(kind, "BINARY") || strings.Contains(kind, "BLOB") {
			return []string{"bytes", hex.EncodeToString(it)}
		}
		if kind == "TIME" {
			return []string{"text", withFraction(string(it))}
		}
		return []string{"text", string(it)}
	case time.Time:
		if kind == "DATE" {
			return []string{"time", it.Format("2006-01-02")}
		}
		return []string{"time", it.Format("2006-01-02 15:04:05.000000")}
	case float32:
		return []string{"float32", strconv.FormatFloat(float64(it), 'g', -1, 32)}
	case float64:
		return []string{"float64", strconv.FormatFloat(it, 'g', -1, 64)}
	}
	return []string{fmt.Sprintf("%T", value), fmt.Sprint(value)}
}

// The text protocol leaves the fraction as it is written, the binary one too: both have six digits.
func withFraction(text string) string {
	if strings.Contains(text, ".") {
		return text
	}
	return text + ".000000"
}

func read(rows *sql.Rows) ([]string, [][]any) {
	names := must(rows.Columns())
	types := must(rows.ColumnTypes())
	all := [][]any{}
	for rows.Next() {
		cells := make([]any, len(names))
		into := make([]any, len(names))
		for at := range cells {
			into[at] = &cells[at]
		}
		must(0, rows.Scan(into...))
		for at := range cells {
			cells[at] = said(types[at].DatabaseTypeName(), cells[at])
		}
		all = append(all, cells)
	}
	must(0, rows.Err())
	return names, all
}

func text(cell any) any {
	if pair, ok := cell.([]string); ok {
		return pair[1]
	}
	return nil
}

func texts(rows [][]any) [][]any {
	for _, row := range rows {
		for at, cell := range row {
			row[at] = text(cell)
		}
	}
	return rows
}

func ask(from *sql.Conn, query string, values ...any) [][]any {
	rows := must(from.QueryContext(background, query, values...))
	defer rows.Close()
	_, all := read(rows)
	return texts(all)
}

func change(on *sql.Conn, statement string, values ...any) int64 {
	return must(must(on.ExecContext(background, statement, values...)).RowsAffected())
}

func failure(err error) any {
	var known *mysql.MySQLError
	if errors.As(err, &known) {
		return object{"code": known.Number, "state": string(known.SQLState[:])}
	}
	if err != nil {
		return object{"message": err.Error()}
	}
	return nil
}

func parameter(kind, text string) any {
	switch kind {
	case "integer":
		return must(strconv.ParseInt(text, 10, 64))
	case "unsigned":
		return must(strconv.ParseUint(text, 10, 64))
	case "float", "double":
		return must(strconv.ParseFloat(text, 64))
	case "date":
		return must(time.Parse("2006-01-02", text))
	case "datetime":
		return must(time.Parse("2006-01-02 15:04:05.000000", text))
	case "bytes":
		return must(hex.DecodeString(text))
	}
	return text
}

func everything(from *sql.Conn, where string, values ...any) object {
	rows := must(from.QueryContext(background, "select * from everything "+where+" order by id", values...))
	defer rows.Close()
	names, all := read(rows)
	return object{"columns": names, "rows": all}
}

func hostile(connection *sql.Conn, texts []string) object {
	change(connection, "delete from hostile")
	for at, text := range texts {
		change(connection, "insert into hostile values (?, ?)", at, text)
	}
	found := []int{}
	for _, text := range texts {
		found = append(found, len(ask(connection, "select text from hostile where text = ?", text)))
	}
	values := []any{}
	for _, row := range ask(connection, "select text from hostile order by id") {
		values = append(values, row[0])
	}
	return object{"values": values, "found": found}
}

func noBackslash() object {
	connection := connect(options{escaped: true, several: true})
	change(connection, script.NoBackslash.SQL)
	return hostile(connection, script.NoBackslash.Texts)
}

// The driver passes bytes on, as they are in the character set that it asks for.
func charsets() object {
	said := object{}
	for _, charset := range script.Charsets {
		connection, err := open(options{charset: charset.Name, escaped: true, several: true}).Conn(background)
		if err != nil {
			said[charset.Name] = object{"error": failure(err)}
			continue
		}
		sent := []string{}
		texts := map[string]string{}
		for at, digits := range charset.Bytes {
			bytes := string(must(hex.DecodeString(digits)))
			sent = append(sent, bytes)
			texts[bytes] = charset.Texts[at]
		}
		stored := hostile(connection, sent)
		for at, value := range stored["values"].([]any) {
			stored["values"].([]any)[at] = texts[value.(string)]
		}
		said[charset.Name] = stored
	}
	return said
}

// Runs the long query; gives its connection's id once others see it run, and its error.
func longRunning(on *sql.Conn, until context.Context) (string, *sql.Conn, chan error) {
	number := ask(on, "select connection_id()")[0][0].(string)
	ended := make(chan error, 1)
	go func() {
		rows, err := on.QueryContext(until, script.Long)
		if err == nil {
			for rows.Next() {
			}
			err = rows.Err()
		}
		ended <- err
	}()
	watcher := connect(options{})
	for {
		rows := must(watcher.QueryContext(background, "show full processlist"))
		names, all := read(rows)
		rows.Close()
		for _, row := range all {
			one := object{}
			for at, name := range names {
				one[name] = text(row[at])
			}
			info, _ := one["Info"].(string)
			if one["Id"] == number && strings.Contains(info, "numbers a") {
				return number, watcher, ended
			}
		}
	}
}

func first(rows [][]any) []any {
	values := []any{}
	for _, row := range rows {
		values = append(values, row[0])
	}
	return values
}

func metadata() object {
	connection := connect(options{})
	described := []any{}
	keys := []any{}
	rows := must(connection.QueryContext(background, "select * from everything where id = 0"))
	for _, column := range must(rows.ColumnTypes()) {
		nullable, _ := column.Nullable()
		described = append(described, []any{column.Name(), column.DatabaseTypeName(), nullable})
	}
	rows.Close()
	for _, row := range ask(connection, "show columns from everything") {
		if row[3] == "PRI" {
			keys = append(keys, row[0])
		}
	}
	return object{"databases": first(ask(connection, "show databases")), "tables": first(ask(connection, "show tables")),
		"columns": described, "keys": keys}
}

func transaction() object {
	connection, other := connect(options{}), connect(options{})
	count := func(from interface {
		QueryRowContext(context.Context, string, ...any) *sql.Row
	}) string {
		var count string
		must(0, from.QueryRowContext(background, "select count(*) from moved").Scan(&count))
		return count
	}
	change(connection, "delete from moved")
	seen := []string{}
	begun := must(connection.BeginTx(background, nil))
	must(begun.Exec("insert into moved values (1)"))
	seen = append(seen, count(begun), count(other))
	must(0, begun.Rollback())
	seen = append(seen, count(connection))
	change(connection, "set autocommit = 0")
	change(connection, "insert into moved values (2)")
	change(connection, "commit")
	seen = append(seen, count(other))
	change(connection, "set autocommit = 1")
	change(connection, "insert into moved values (3)")
	return object{"values": append(seen, count(other))}
}

func several() object {
	connection := connect(options{several: true})
	rows := must(connection.QueryContext(background, script.Several))
	defer rows.Close()
	results := []any{}
	for more := true; more; more = rows.NextResultSet() {
		_, all := read(rows)
		if len(all) > 0 {
			results = append(results, texts(all))
		}
	}
	must(0, rows.Err())
	return object{"results": results}
}

func faults() object {
	connection := connect(options{})
	all := []any{}
	for _, one := range script.Errors {
		_, err := connection.ExecContext(background, one.SQL)
		all = append(all, failure(err))
	}
	return object{"errors": all, "rows": ask(connection, "select 1")}
}

func parameters() object {
	connection := connect(options{})
	change(connection, "delete from everything where id = 4")
	values := []any{}
	for at, column := range script.Columns {
		values = append(values, parameter(column.Kind, script.Added[at]))
	}
	marks := strings.TrimSuffix(strings.Repeat("?, ", len(values)), ", ")
	affected := change(connection, "insert into everything values ("+marks+")", values...)
	return object{"affected": affected, "rows": everything(connection, "where id = ?", 4)["rows"]}
}

func many() object {
	sum, bytes := 0, 0
	rows := ask(connect(options{}), "select id, label from numbers order by id")
	for _, row := range rows {
		sum += must(strconv.Atoi(row[0].(string)))
		bytes += len(row[1].(string))
	}
	return object{"count": len(rows), "sum": strconv.Itoa(sum), "bytes": bytes, "last": rows[len(rows)-1]}
}

func names() object {
	rows := must(connect(options{}).QueryContext(background, script.Names.SQL))
	names, all := read(rows)
	return object{"columns": names, "rows": texts(all)}
}

func latin1() object {
	connection := connect(options{charset: "latin1", escaped: true})
	bytes := []byte{}
	for _, letter := range script.Latin1 {
		bytes = append(bytes, byte(letter))
	}
	change(connection, "delete from hostile")
	// The driver passes bytes on; what they mean is said by the character set of the connection.
	change(connection, "insert into hostile values (1, '"+string(bytes)+"')")
	letters := []rune{}
	for _, letter := range []byte(ask(connection, "select text from hostile")[0][0].(string)) {
		letters = append(letters, rune(letter))
	}
	return object{"value": string(letters), "seen": ask(connect(options{}), "select text from hostile")[0][0]}
}

func killed(statement string) (*sql.Conn, error) {
	connection := connect(options{})
	number, watcher, ended := longRunning(connection, background)
	change(watcher, statement+" "+number)
	return connection, <-ended
}

func affected() object {
	connection := connect(options{})
	change(connection, "delete from moved")
	return object{"values": []int64{change(connection, "insert into moved values (1), (2), (3)"),
		change(connection, "update moved set id = id + 10 where id > 1"),
		change(connection, "delete from moved where id = 1"),
		change(connection, "delete from moved where id = 1")}}
}

var steps = []struct {
	name string
	work func() object
}{
	{"tls", func() object { return object{"rows": ask(connect(options{}), "select 1")} }},
	{"plain", func() object { return object{"rows": ask(connect(options{plain: true}), "select 1")} }},
	{"wrong-password", func() object {
		return object{"error": failure(open(options{password: "not it"}).Ping())}
	}},
	{"database", func() object { return object{"value": ask(connect(options{}), "select database()")[0][0]} }},
	{"names", names},
	{"text-values", func() object { return everything(connect(options{}), "where id < 4") }},
	{"binary-values", func() object { return everything(connect(options{}), "where id < ?", 4) }},
	{"many", many},
	{"parameters", parameters},
	{"hostile-prepared", func() object { return hostile(connect(options{}), script.Hostile) }},
	{"hostile-escaped", func() object {
		return hostile(connect(options{escaped: true, several: true}), script.Hostile)
	}},
	{"no-backslash", noBackslash},
	{"charsets", charsets},
	{"latin1", latin1},
	{"transaction", transaction},
	{"several", several},
	{"errors", faults},
	{"affected", affected},
	{"kill-query", func() object {
		connection, err := killed("kill query")
		return object{"error": failure(err), "rows": ask(connection, "select 1")}
	}},
	{"kill", func() object {
		connection, err := killed("kill")
		_, after := connection.ExecContext(background, "select 1")
		return object{"isRefused": err != nil, "isLost": after != nil}
	}},
	{"timeout", func() object {
		until, cancel := context.WithCancel(background)
		number, watcher, ended := longRunning(connect(options{}), until)
		cancel()
		err := <-ended
		// It hangs up alone, which a server may notice late.
		watcher.ExecContext(background, "kill "+number)
		return object{"isTimeout": errors.Is(err, context.Canceled)}
	}},
	{"metadata", metadata},
}

func main() {
	must(0, json.Unmarshal(must(os.ReadFile(os.Getenv("SCENARIO"))), &script))
	out := json.NewEncoder(os.Stdout)
	for _, step := range steps {
		func() {
			defer func() {
				if trouble := recover(); trouble != nil {
					out.Encode(object{"step": step.name, "failed": fmt.Sprint(trouble)})
				}
			}()
			said := step.work()
			said["step"] = step.name
			out.Encode(said)
		}()
	}
}
