/** A name as DuckDB writes it. */
const PART = String.raw`(?:"(?:[^"]|"")*"|[^\s"(.]+)`
const HEAD = String.raw`^CREATE (?:TEMPORARY )?VIEW ${PART}(?:\.${PART})*\s*(?:\((?:"(?:[^"]|"")*"|[^")])*\))? AS (.*);$`
/** A text, a name in quotes, or what is between such. */
const PARTS = String.raw`'(?:[^']|'')*'|"(?:[^"]|"")*"|[^'"]+`

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`

const QUERY = `regexp_replace(sql, ${text(HEAD)}, '\\1', 's')`

/** Names in backticks, and two backslashes for one in a text, since that is how a client of MySQL reads both. */
const REQUOTED = String.raw`CASE part[1]
  WHEN '"' THEN concat(chr(96), replace(replace(part[2:-2], '""', '"'), chr(96), repeat(chr(96), 2)), chr(96))
  WHEN '''' THEN replace(part, '\', '\\') ELSE part END`

/** What a view selects, out of the text that defines it: tools send it again behind CREATE VIEW … AS. */
export const VIEW_DEFINITION = `array_to_string(list_transform(regexp_extract_all(${QUERY}, ${text(PARTS)}), lambda part: ${REQUOTED}), '')`
