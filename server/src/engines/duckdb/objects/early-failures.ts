import { type JsonNode, nodeOf, nodesOf, textOf } from './json-tree.ts'

/**
 * DuckDB's optimizer moves conditions to below those of a view, unless it knows that they may fail: else a row that the view
 * leaves out would make a statement fail, which tells of it. Of these it knows it, or they never fail; all others may fail
 * on a row that nobody is shown. Found by trying each on a view that leaves out the rows on which it fails.
 */
const KNOWN = new Set(
  `+ - * / // % || ~~ !~~ ~~* !~~* ~~~ ^@ <@ @> && abs acos add age approx_count_distinct array_agg array_extract asin atan
  atan2 avg bit_count bit_length cbrt ceil ceiling century coalesce concat concat_ws constant_or_null contains cos cot
  count count_star current_catalog current_database current_date current_schema current_timestamp date_add date_diff
  date_part date_sub date_trunc datediff datepart datesub datetrunc day dayname dayofmonth dayofweek dayofyear decade degrees
  dense_rank ends_with epoch error even exp factorial first first_value floor format from_base64 from_hex from_json
  gamma gcd get_current_timestamp getvariable greatest greatest_common_divisor hash hex hour ilike in instr isfinite isinf
  isnan isodow isoyear json json_array_length json_contains json_extract json_extract_path json_extract_path_text
  json_extract_string json_keys json_type json_valid julian lag last last_value lcase lead least left len length
  like list list_append list_cat list_concat list_contains list_count list_distinct list_element list_extract list_has
  list_has_any list_position list_value ln log log10 log2 lower lpad ltrim make_date max md5 mean microsecond millennium
  millisecond min minute mod month monthname now nullif ntile octet_length percent_rank pi position pow power prefix printf
  quarter radians random rank regexp_matches replace reverse right round row row_number rpad rtrim second sha256 sign sin
  split_part sqrt starts_with stddev strftime string_agg strlen strpos strptime struct_extract struct_pack   suffix sum tan to_base to_days to_hex to_hours to_minutes to_months to_seconds to_years today trim trunc ucase unhex unicode
  upper variance week weekday weekofyear year yearweek`.split(/\s+/),
)

/** The same where all but their first argument are constants, which are looked at when the statement is bound. */
const KNOWN_WITH_CONSTANTS = new Set(
  `ilike_escape like_escape not_ilike_escape not_like_escape regexp_extract regexp_extract_all regexp_full_match
  regexp_replace string_split_regex substr substring`.split(/\s+/),
)

/** The same of what is cast to one of these. */
const KNOWN_CASTS = new Set(
  `BOOLEAN TINYINT SMALLINT INTEGER BIGINT HUGEINT UTINYINT USMALLINT UINTEGER UBIGINT UHUGEINT FLOAT DOUBLE DECIMAL VARCHAR
  DATE TIME TIME_NS TIME_WITH_TIME_ZONE TIMESTAMP TIMESTAMP_S TIMESTAMP_MS TIMESTAMP_NS TIMESTAMP_WITH_TIME_ZONE INTERVAL
  ENUM NULL`.split(/\s+/),
)

const typeOf = (node: JsonNode): string => textOf(nodeOf(node, 'return_type'), 'id').replaceAll(' ', '_')

const isConstant = (node: JsonNode): boolean =>
  node['expression_class'] === 'BOUND_CONSTANT' ||
  (node['expression_class'] === 'BOUND_CAST' && isConstant(nodeOf(node, 'child')))

function isKnownFunction(node: JsonNode): boolean {
  const name = textOf(node, 'name')
  if (KNOWN.has(name)) return true
  return KNOWN_WITH_CONSTANTS.has(name) && nodesOf(node, 'children').slice(1).every(isConstant)
}

const isKnownCast = (node: JsonNode): boolean =>
  node['try_cast'] === true || KNOWN_CASTS.has(typeOf(node)) || isConstant(node)

/** What a part of a plan does that may fail earlier than it should; null when it is nothing. */
export function earlyFailure(node: JsonNode): string | null {
  switch (node['expression_class']) {
    case 'BOUND_FUNCTION':
      return isKnownFunction(node) ? null : textOf(node, 'name') || 'a function'
    case 'BOUND_CAST':
      return isKnownCast(node) ? null : `cast to ${typeOf(node)}`
    case 'BOUND_LAMBDA':
    case 'BOUND_LAMBDA_REF':
      return 'a lambda'
    default:
      return null
  }
}

/** Whether one list has something that the other has not, or has it more often. */
export function hasMore(all: readonly string[], known: readonly string[]): boolean {
  const left = [...known]
  return all.some((one) => {
    const at = left.indexOf(one)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}
