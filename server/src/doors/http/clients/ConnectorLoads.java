import com.starrocks.data.load.stream.StreamLoadDataFormat;
import com.starrocks.data.load.stream.StreamLoadSnapshot;
import com.starrocks.data.load.stream.properties.StreamLoadProperties;
import com.starrocks.data.load.stream.properties.StreamLoadTableProperties;
import com.starrocks.data.load.stream.v2.StreamLoadManagerV2;

/** Loads as the connector of StarRocks for Flink does: each buffer as one load, or with a commit in two phases. */
public final class ConnectorLoads {
    /** Of a part, in bytes. Without it each row is one. */
    private static final long PART = 4_096;

    private static StreamLoadTableProperties tableOf(String format, long part, String... properties) {
        StreamLoadTableProperties.Builder table = StreamLoadTableProperties.builder()
            .uniqueKey("t")
            .database("main")
            .table("t")
            .chunkLimit(part)
            .streamLoadDataFormat("json".equals(format) ? StreamLoadDataFormat.JSON : StreamLoadDataFormat.CSV);
        for (int at = 0; at < properties.length; at += 2) table.addProperty(properties[at], properties[at + 1]);
        return table.build();
    }

    private static StreamLoadProperties.Builder to(String[] args, StreamLoadTableProperties table) {
        return StreamLoadProperties.builder()
            .loadUrls(args[0])
            .jdbcUrl("jdbc:mysql://127.0.0.1:1")
            .username(args[1])
            .password(args[2])
            .version("3.2.0")
            .labelPrefix("connector-")
            .connectTimeout(10_000)
            .ioThreadCount(4)
            .expectDelayTime(200)
            .defaultTableProperties(table);
    }

    private static void check(StreamLoadManagerV2 manager) {
        if (manager.getException() != null) throw new IllegalStateException(manager.getException());
    }

    private static void plain(String[] args) {
        StreamLoadTableProperties table = tableOf("csv", 0, "format", "csv", "column_separator", ",");
        StreamLoadManagerV2 manager = new StreamLoadManagerV2(to(args, table).build(), true);
        manager.init();
        // Each row becomes a load of its own: on a busy machine, the connector waits for one of them for a second.
        for (int n = 0; n < 100; n++) manager.write("t", "main", "t", n + ",plain");
        manager.flush();
        check(manager);
        manager.close();
        System.out.println("plain loaded");
    }

    private static void transactions(String[] args, boolean isRolledBack, String... compression) {
        String[] json = {"format", "json", "strip_outer_array", "true"};
        String[] all = new String[json.length + compression.length];
        System.arraycopy(json, 0, all, 0, json.length);
        System.arraycopy(compression, 0, all, json.length, compression.length);
        StreamLoadProperties properties = to(args, tableOf("json", PART, all)).enableTransaction().build();
        StreamLoadManagerV2 manager = new StreamLoadManagerV2(properties, false);
        manager.init();
        String name = isRolledBack ? "rolled back" : compression.length > 0 ? "lz4" : "two phases";
        for (int round = 0; round < 2; round++) {
            for (int n = 0; n < 500; n++)
                manager.write("t", "main", "t", "{\"id\": " + n + ", \"name\": \"" + name + "\"}");
            manager.flush();
            check(manager);
            StreamLoadSnapshot snapshot = manager.snapshot();
            if (!manager.prepare(snapshot)) throw new IllegalStateException("It was not prepared.");
            boolean isDone = isRolledBack ? manager.abort(snapshot) : manager.commit(snapshot);
            // Who restarts commits again what may be committed.
            if (!isRolledBack) snapshot.getTransactions().forEach(one -> one.setFinish(false));
            if (!isRolledBack && !manager.commit(snapshot)) isDone = false;
            if (!isDone) throw new IllegalStateException("It did not end.");
        }
        check(manager);
        manager.close();
        System.out.println(name + " done");
    }

    public static void main(String[] args) {
        plain(args);
        transactions(args, false);
        transactions(args, true);
        transactions(args, false, "compression", "lz4_frame");
        System.exit(0);
    }
}
