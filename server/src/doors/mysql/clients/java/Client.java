import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.*;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.*;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** MySQL's and MariaDB's drivers for Java through the steps of the contract (see ../README.md): Client mysql|mariadb. */
public class Client {
    static final DateTimeFormatter MOMENT = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSSSS");
    static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSS");
    static boolean isMariadb;
    static Map<String, Object> scenario;

    interface Step {
        Map<String, Object> run() throws Exception;
    }

    static Connection connect(String... settings) throws SQLException {
        var options = new Properties();
        options.put("user", System.getenv("MYSQL_USER"));
        options.put("password", System.getenv("MYSQL_PASSWORD"));
        options.put("sslMode", isMariadb ? "trust" : "REQUIRED");
        options.put("useServerPrepStmts", "true");
        options.put("tinyInt1isBit", "false");
        for (int at = 0; at < settings.length; at += 2) options.put(settings[at], settings[at + 1]);
        var place = "jdbc:" + (isMariadb ? "mariadb" : "mysql") + "://" + System.getenv("MYSQL_HOST") + ":"
            + System.getenv("MYSQL_PORT") + "/" + System.getenv("MYSQL_DATABASE");
        return DriverManager.getConnection(place, options);
    }

    static Object said(ResultSet rows, int at) throws SQLException {
        var value = rows.getObject(at);
        if (value == null) return null;
        var kind = value.getClass().getName();
        if (value instanceof byte[] bytes) return List.of("bytes", HexFormat.of().formatHex(bytes));
        if (value instanceof BigDecimal number) return List.of(kind, number.toPlainString());
        if (value instanceof LocalDateTime moment) return List.of(kind, moment.format(MOMENT));
        if (value instanceof Timestamp moment) return List.of(kind, moment.toLocalDateTime().format(MOMENT));
        if (value instanceof Time) return List.of(kind, rows.getObject(at, LocalTime.class).format(TIME));
        return List.of(kind, value.toString());
    }

    static List<List<Object>> read(ResultSet rows) throws SQLException {
        var all = new ArrayList<List<Object>>();
        var width = rows.getMetaData().getColumnCount();
        while (rows.next()) {
            var row = new ArrayList<Object>();
            for (int at = 1; at <= width; at++) row.add(said(rows, at));
            all.add(row);
        }
        return all;
    }

    static List<String> names(ResultSet rows) throws SQLException {
        var names = new ArrayList<String>();
        for (int at = 1; at <= rows.getMetaData().getColumnCount(); at++) names.add(rows.getMetaData().getColumnLabel(at));
        return names;
    }

    static List<List<Object>> texts(List<List<Object>> rows) {
        for (var row : rows) row.replaceAll(value -> value == null ? null : ((List<?>) value).get(1));
        return rows;
    }

    static List<List<Object>> ask(Connection on, String sql) throws SQLException {
        try (var statement = on.createStatement()) {
            return texts(read(statement.executeQuery(sql)));
        }
    }

    static int change(Connection on, String sql) throws SQLException {
        try (var statement = on.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    static Exception thrown(Callable<?> work) {
        try {
            work.call();
            return null;
        } catch (Exception error) {
            return error;
        }
    }

    static Map<String, Object> said(Exception error) {
        if (error instanceof SQLException known) return object("code", known.getErrorCode(), "state", known.getSQLState());
        return error == null ? null : object("message", String.valueOf(error));
    }

    static Map<String, Object> failure(Callable<?> work) {
        return said(thrown(work));
    }

    static Object parameter(String kind, String text) {
        return switch (kind) {
            case "integer" -> Long.valueOf(text);
            case "unsigned" -> new BigInteger(text);
            case "decimal" -> new BigDecimal(text);
            case "float" -> Float.valueOf(text);
            case "double" -> Double.valueOf(text);
            case "date" -> LocalDate.parse(text);
            case "time" -> LocalTime.parse(text);
            case "datetime" -> LocalDateTime.parse(text.replace(' ', 'T'));
            case "bytes" -> HexFormat.of().parseHex(text);
            default -> text;
        };
    }

    static Map<String, Object> everything(PreparedStatement statement) throws SQLException {
        statement.setInt(1, 4);
        var rows = statement.executeQuery();
        return object("columns", names(rows), "rows", read(rows));
    }

    static Map<String, Object> hostile(Connection on) throws SQLException {
        return hostile(on, (List<?>) scenario.get("hostile"));
    }

    static Map<String, Object> hostile(Connection on, List<?> texts) throws SQLException {
        change(on, "delete from hostile");
        var found = new ArrayList<Integer>();
        try (var insert = on.prepareStatement("insert into hostile values (?, ?)");
             var look = on.prepareStatement("select text from hostile where text = ?")) {
            for (int at = 0; at < texts.size(); at++) {
                insert.setInt(1, at);
                insert.setString(2, (String) texts.get(at));
                insert.executeUpdate();
            }
            for (var text : texts) {
                look.setString(1, (String) text);
                found.add(read(look.executeQuery()).size());
            }
        }
        return object("values", firsts(ask(on, "select text from hostile order by id")), "found", found);
    }

    /** As a setting of the connection: MySQL's driver looks at the mode when it connects. */
    static Map<String, Object> noBackslash() throws SQLException {
        var asked = (Map<?, ?>) scenario.get("noBackslash");
        var mode = ((String) asked.get("sql")).replace("set ", "");
        var on = connect("useServerPrepStmts", "false", "allowMultiQueries", "true", "sessionVariables", mode);
        return hostile(on, (List<?>) asked.get("texts"));
    }

    static Map<String, Object> charsets() {
        var said = object();
        for (var one : (List<?>) scenario.get("charsets")) {
            var charset = (Map<?, ?>) one;
            var name = (String) charset.get("name");
            var error = failure(() -> said.put(name, hostile(spoken(charset), (List<?>) charset.get("texts"))));
            if (error != null) said.put(name, object("error", error));
        }
        return said;
    }

    static Connection spoken(Map<?, ?> charset) throws SQLException {
        var on = connect("useServerPrepStmts", "false", "allowMultiQueries", "true",
            "characterEncoding", isMariadb ? "UTF-8" : (String) charset.get("java"));
        if (isMariadb) change(on, "set names " + charset.get("name"));
        return on;
    }

    static List<Object> firsts(List<List<Object>> rows) {
        return new ArrayList<>(rows.stream().map(row -> row.get(0)).toList());
    }

    record Running(String number, Connection watcher, CompletableFuture<Exception> ended) {}

    /** Runs the long query; gives its connection's id once others see it run, and its error. */
    static Running longRunning(Connection on, int seconds) throws SQLException {
        var number = (String) ask(on, "select connection_id()").get(0).get(0);
        var ended = CompletableFuture.supplyAsync(() -> thrown(() -> {
            try (var statement = on.createStatement()) {
                statement.setQueryTimeout(seconds);
                return statement.executeQuery((String) scenario.get("long")).next();
            }
        }));
        var watcher = connect();
        while (true) {
            try (var statement = watcher.createStatement(); var rows = statement.executeQuery("show full processlist")) {
                while (rows.next()) {
                    var info = rows.getString("Info");
                    if (rows.getString("Id").equals(number) && info != null && info.contains("numbers a"))
                        return new Running(number, watcher, ended);
                }
            }
        }
    }

    static Map<String, Object> transaction() throws SQLException {
        var on = connect();
        var other = connect();
        var count = "select count(*) from moved";
        change(on, "delete from moved");
        on.setAutoCommit(false);
        change(on, "insert into moved values (1)");
        var seen = new ArrayList<Object>(List.of(ask(on, count).get(0).get(0), ask(other, count).get(0).get(0)));
        on.rollback();
        seen.add(ask(on, count).get(0).get(0));
        on.commit();
        change(on, "insert into moved values (2)");
        on.commit();
        seen.add(ask(other, count).get(0).get(0));
        on.setAutoCommit(true);
        change(on, "insert into moved values (3)");
        seen.add(ask(other, count).get(0).get(0));
        return object("values", seen);
    }

    static Map<String, Object> several() throws SQLException {
        var results = new ArrayList<Object>();
        try (var statement = connect("allowMultiQueries", "true").createStatement()) {
            var isRows = statement.execute((String) scenario.get("several"));
            while (isRows || statement.getUpdateCount() >= 0) {
                results.add(isRows ? texts(read(statement.getResultSet())) : statement.getUpdateCount());
                isRows = statement.getMoreResults();
            }
        }
        return object("results", results);
    }

    static Map<String, Object> parameters() throws SQLException {
        var on = connect();
        change(on, "delete from everything where id = 4");
        var columns = (List<?>) scenario.get("columns");
        var added = (List<?>) scenario.get("added");
        var marks = String.join(", ", Collections.nCopies(columns.size(), "?"));
        var insert = on.prepareStatement("insert into everything values (" + marks + ")");
        for (int at = 0; at < added.size(); at++) {
            var kind = (String) ((Map<?, ?>) columns.get(at)).get("kind");
            insert.setObject(at + 1, parameter(kind, (String) added.get(at)));
        }
        var affected = insert.executeUpdate();
        var rows = everything(on.prepareStatement("select * from everything where id = ? order by id")).get("rows");
        return object("affected", affected, "rows", rows);
    }

    static Map<String, Object> many() throws SQLException {
        var rows = ask(connect(), "select id, label from numbers order by id");
        long sum = 0;
        long bytes = 0;
        for (var row : rows) {
            sum += Long.parseLong((String) row.get(0));
            bytes += ((String) row.get(1)).getBytes(StandardCharsets.UTF_8).length;
        }
        return object("count", rows.size(), "sum", String.valueOf(sum), "bytes", bytes, "last", rows.get(rows.size() - 1));
    }

    static Map<String, Object> metadata() throws SQLException {
        var on = connect();
        var about = on.getMetaData();
        var here = (String) ask(on, "select database()").get(0).get(0);
        var databases = firsts(texts(read(about.getCatalogs())));
        var tables = new ArrayList<String>();
        for (var rows = about.getTables(here, null, "%", new String[] {"TABLE"}); rows.next();) tables.add(rows.getString("TABLE_NAME"));
        var columns = new ArrayList<List<Object>>();
        for (var rows = about.getColumns(here, null, "everything", "%"); rows.next();)
            columns.add(new ArrayList<>(Arrays.asList(rows.getString("COLUMN_NAME"), rows.getInt("DATA_TYPE"), rows.getString("TYPE_NAME"),
                rows.getString("IS_NULLABLE"), rows.getInt("ORDINAL_POSITION"), rows.getInt("DECIMAL_DIGITS"))));
        var keys = new ArrayList<String>();
        for (var rows = about.getPrimaryKeys(here, null, "everything"); rows.next();) keys.add(rows.getString("COLUMN_NAME"));
        var indexes = new ArrayList<List<Object>>();
        for (var rows = about.getIndexInfo(here, null, "everything", false, false); rows.next();)
            indexes.add(List.of(rows.getString("INDEX_NAME"), rows.getString("COLUMN_NAME"), rows.getBoolean("NON_UNIQUE")));
        return object("databases", databases, "tables", tables, "columns", columns, "keys", keys, "indexes", indexes);
    }

    static Map<String, Object> errors() throws SQLException {
        var on = connect();
        var all = new ArrayList<Object>();
        for (var one : (List<?>) scenario.get("errors")) {
            var sql = (String) ((Map<?, ?>) one).get("sql");
            all.add(failure(() -> on.createStatement().execute(sql)));
        }
        return object("errors", all, "rows", ask(on, "select 1"));
    }

    static Map<String, Object> latin1() throws SQLException {
        if (isMariadb) return object("not", "it speaks utf8mb4 alone");
        var on = connect("characterEncoding", "ISO-8859-1");
        change(on, "delete from hostile");
        try (var insert = on.prepareStatement("insert into hostile values (1, ?)")) {
            insert.setString(1, (String) scenario.get("latin1"));
            insert.executeUpdate();
        }
        var read = "select text from hostile";
        return object("value", ask(on, read).get(0).get(0), "seen", ask(connect(), read).get(0).get(0));
    }

    static Map<String, Object> affected() throws SQLException {
        var on = connect();
        change(on, "delete from moved");
        return object("values", List.of(change(on, "insert into moved values (1), (2), (3)"),
            change(on, "update moved set id = id + 10 where id > 1"),
            change(on, "delete from moved where id = 1"), change(on, "delete from moved where id = 1")));
    }

    static Map<String, Object> names() throws SQLException {
        var sql = (String) ((Map<?, ?>) scenario.get("names")).get("sql");
        var rows = connect().createStatement().executeQuery(sql);
        return object("columns", names(rows), "rows", texts(read(rows)));
    }

    static Map<String, Step> steps() {
        var steps = new LinkedHashMap<String, Step>();
        var off = isMariadb ? "disable" : "DISABLED";
        steps.put("tls", () -> object("rows", ask(connect(), "select 1")));
        steps.put("plain", () -> object("rows", ask(connect("sslMode", off), "select 1")));
        steps.put("wrong-password", () -> object("error", failure(() -> connect("password", "not it"))));
        steps.put("database", () -> object("value", ask(connect(), "select database()").get(0).get(0)));
        steps.put("names", Client::names);
        var read = "select * from everything where id < ? order by id";
        steps.put("text-values", () -> everything(connect("useServerPrepStmts", "false").prepareStatement(read)));
        steps.put("binary-values", () -> everything(connect().prepareStatement(read)));
        steps.put("many", Client::many);
        steps.put("parameters", Client::parameters);
        steps.put("hostile-prepared", () -> hostile(connect()));
        steps.put("hostile-escaped", () -> hostile(connect("useServerPrepStmts", "false", "allowMultiQueries", "true")));
        steps.put("no-backslash", Client::noBackslash);
        steps.put("charsets", Client::charsets);
        steps.put("latin1", Client::latin1);
        steps.put("transaction", Client::transaction);
        steps.put("several", Client::several);
        steps.put("errors", Client::errors);
        steps.put("affected", Client::affected);
        steps.put("kill-query", () -> {
            var on = connect();
            var running = longRunning(on, 0);
            change(running.watcher, "kill query " + running.number);
            return object("error", said(running.ended.join()), "rows", ask(on, "select 1"));
        });
        steps.put("kill", () -> {
            var on = connect();
            var running = longRunning(on, 0);
            change(running.watcher, "kill " + running.number);
            return object("isRefused", running.ended.join() != null, "isLost", failure(() -> ask(on, "select 1")) != null);
        });
        steps.put("timeout", () -> {
            var running = longRunning(connect(), 2);
            var error = running.ended.completeOnTimeout(null, 20, TimeUnit.SECONDS).join();
            if (error == null) change(running.watcher, "kill " + running.number);
            return object("isTimeout", error instanceof SQLTimeoutException);
        });
        steps.put("metadata", Client::metadata);
        return steps;
    }

    public static void main(String[] arguments) throws Exception {
        isMariadb = arguments[0].equals("mariadb");
        scenario = Json.object(Files.readString(Path.of(System.getenv("SCENARIO"))));
        var out = new java.io.PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (var step : steps().entrySet()) {
            Map<String, Object> said;
            try {
                said = step.getValue().run();
            } catch (Exception error) {
                said = object("failed", String.valueOf(error));
            }
            said.put("step", step.getKey());
            out.println(Json.text(said));
        }
        System.exit(0);
    }

    static Map<String, Object> object(Object... pairs) {
        var object = new LinkedHashMap<String, Object>();
        for (int at = 0; at < pairs.length; at += 2) object.put((String) pairs[at], pairs[at + 1]);
        return object;
    }
}
