import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Loads with Java's own HTTP client: one body, one that is announced first, and a transaction with parts in parallel. */
public final class HttpClientLoads {
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String base;
    private final String authorization;

    private HttpClientLoads(String[] args) {
        base = args[0];
        authorization = "Basic " + Base64.getEncoder().encodeToString((args[1] + ":" + args[2]).getBytes());
    }

    private HttpRequest.Builder to(String path, String... headers) {
        return HttpRequest.newBuilder(URI.create(base + path)).header("Authorization", authorization).headers(headers);
    }

    private static void say(String step, HttpResponse<String> response) {
        System.out.println("[\"" + step + "\"," + response.statusCode() + "," + response.body() + "]");
    }

    private void send(String step, HttpRequest request) throws Exception {
        say(step, client.send(request, HttpResponse.BodyHandlers.ofString()));
    }

    private HttpRequest step(String name) {
        return to("/api/transaction/" + name, "label", "java-tx", "db", "main", "table", "t")
            .POST(BodyPublishers.noBody())
            .build();
    }

    private CompletableFuture<HttpResponse<String>> part(int number) {
        BodyPublisher body = BodyPublishers.ofString(number + ",java\n");
        HttpRequest request = to(
                "/api/transaction/load", "label", "java-tx", "db", "main", "table", "t", "column_separator", ",")
            .PUT(body)
            .build();
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString());
    }

    public static void main(String[] args) throws Exception {
        HttpClientLoads loads = new HttpClientLoads(args);
        String rows = IntStream.range(0, 20_000).mapToObj(n -> n + ",row\n").collect(Collectors.joining());
        String[] headers = {"label", "java-1", "column_separator", ","};
        String path = "/api/main/t/_stream_load";
        loads.send("load", loads.to(path, headers).PUT(BodyPublishers.ofString(rows)).build());
        loads.send("again", loads.to(path, headers).expectContinue(true).PUT(BodyPublishers.ofString(rows)).build());
        headers[1] = "java-2";
        loads.send("announced", loads.to(path, headers).expectContinue(true).PUT(BodyPublishers.ofString(rows)).build());
        loads.send("begin", loads.step("begin"));
        List<CompletableFuture<HttpResponse<String>>> parts =
            IntStream.range(0, 10).mapToObj(loads::part).collect(Collectors.toList());
        for (CompletableFuture<HttpResponse<String>> part : parts) say("part", part.get());
        loads.send("prepare", loads.step("prepare"));
        loads.send("commit", loads.step("commit"));
    }
}
