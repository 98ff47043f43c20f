import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** As much of JSON as the contract needs; Java has none of its own. */
final class Json {
    private final String text;
    private int at = 0;

    private Json(String text) {
        this.text = text;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(String text) {
        return (Map<String, Object>) new Json(text).value();
    }

    static String text(Object value) {
        if (value instanceof Map<?, ?> map) {
            var parts = new ArrayList<String>();
            map.forEach((name, one) -> parts.add(quoted((String) name) + ":" + text(one)));
            return "{" + String.join(",", parts) + "}";
        }
        if (value instanceof List<?> list) return "[" + String.join(",", list.stream().map(Json::text).toList()) + "]";
        if (value instanceof String string) return quoted(string);
        return String.valueOf(value);
    }

    private static String quoted(String text) {
        var out = new StringBuilder("\"");
        for (char letter : text.toCharArray()) {
            if (letter == '"' || letter == '\\') out.append('\\').append(letter);
            else if (letter < ' ') out.append(String.format("\\u%04x", (int) letter));
            else out.append(letter);
        }
        return out.append('"').toString();
    }

    private char next() {
        while (Character.isWhitespace(text.charAt(at))) at++;
        return text.charAt(at);
    }

    private Object value() {
        return switch (next()) {
            case '{' -> map();
            case '[' -> list();
            case '"' -> string();
            default -> word();
        };
    }

    private Map<String, Object> map() {
        var map = new LinkedHashMap<String, Object>();
        for (at++; next() != '}';) {
            var name = string();
            next();
            at++;
            map.put(name, value());
            if (next() == ',') at++;
        }
        at++;
        return map;
    }

    private List<Object> list() {
        var list = new ArrayList<>();
        for (at++; next() != ']';) {
            list.add(value());
            if (next() == ',') at++;
        }
        at++;
        return list;
    }

    private String string() {
        next();
        var out = new StringBuilder();
        for (at++; text.charAt(at) != '"'; at++) {
            if (text.charAt(at) != '\\') out.append(text.charAt(at));
            else if (text.charAt(++at) == 'u') {
                out.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                at += 4;
            } else out.append(switch (text.charAt(at)) {
                case 'n' -> '\n';
                case 'r' -> '\r';
                case 't' -> '\t';
                default -> text.charAt(at);
            });
        }
        at++;
        return out.toString();
    }

    private Object word() {
        int from = at;
        while (Character.isLetterOrDigit(text.charAt(at)) || "+-.".indexOf(text.charAt(at)) >= 0) at++;
        var word = text.substring(from, at);
        return word.equals("null") ? null : word.equals("true") || word.equals("false") ? Boolean.valueOf(word) : Double.valueOf(word);
    }
}
