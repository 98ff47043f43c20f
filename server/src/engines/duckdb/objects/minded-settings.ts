import { type JsonNode, isNode, nodeOf, nodesBelow, textOf } from './json-tree.ts'

/** Settings of a session by which functions work that are bound the same whatever their value is. */
export type MindedSetting =
  | 'time_zone'
  | 'calendar'
  | 'ieee_floating_point_ops'
  | 'default_order'
  | 'default_null_order'

const OF_ZONES: readonly MindedSetting[] = ['time_zone', 'calendar']
const OF_ORDERS: readonly MindedSetting[] = ['default_order', 'default_null_order']

/** They sort values of a list, by the order that is set when they are bound. */
const SORTS = /(?:_sort|grade_up)$/
/** By zero, a division of floating point gives NULL or an infinity. */
const DIVIDES: ReadonlySet<string> = new Set(['%', '/', '//', 'divide', 'fdiv', 'fmod', 'mod'])
const IS_FLOATING = /"id":"(?:DOUBLE|FLOAT)"/
const HAS_ZONE = /WITH TIME ZONE/
/** They give the date or the time of the session's zone. */
const OF_THE_DAY =
  /^(?:today|current_date|current_time|current_localtime|current_localtimestamp|localtime|localtimestamp|get_current_time)$/
/** They pass on what they are given, or know instants alone. */
const KEEPS_INSTANT: ReadonlySet<string> = new Set(
  `any_value arbitrary arg_max arg_max_null arg_min arg_min_null array_agg array_value coalesce count current_timestamp
   epoch epoch_ms epoch_ns epoch_us first get_current_timestamp last lag lead list list_contains list_distinct
   list_extract list_value make_timestamptz_us max max_by min min_by now nth_value row struct_extract struct_pack to_timestamp
   transaction_timestamp unpivot_list first_value last_value row_number rank dense_rank count_star approx_count_distinct
   create_sort_key constant_or_null mode`.split(/\s+/),
)

const CALLS: ReadonlySet<string> = new Set(['BOUND_FUNCTION', 'BOUND_AGGREGATE', 'BOUND_WINDOW'])

function typeOf(expression: JsonNode): string {
  const value = nodeOf(expression, 'value')
  if (value['is_null'] === true) return ''
  return JSON.stringify(expression['return_type'] ?? value['type'] ?? '')
}

function typesOf(call: JsonNode): string {
  const children: unknown = call['children']
  const given = Array.isArray(children) ? children.filter(isNode).map(typeOf) : []
  return [typeOf(call), JSON.stringify(call['arguments'] ?? ''), ...given].join()
}

/** AT TIME ZONE. */
const namesItsZone = (name: string, { arguments: given }: JsonNode): boolean =>
  name === 'timezone' && Array.isArray(given) && given.length === 2

function mindedByCall(call: JsonNode): readonly MindedSetting[] {
  const name = textOf(call, 'name') || textOf(call, 'function_name')
  if (SORTS.test(name)) return OF_ORDERS
  if (OF_THE_DAY.test(name)) return OF_ZONES
  const types = typesOf(call)
  if (DIVIDES.has(name) && IS_FLOATING.test(types)) return ['ieee_floating_point_ops']
  if (!HAS_ZONE.test(types) || KEEPS_INSTANT.has(name)) return []
  return namesItsZone(name, call) ? ['calendar'] : OF_ZONES
}

/** An instant is a day, an hour and a text by the session's zone alone. */
function mindedByCast(cast: JsonNode): readonly MindedSetting[] {
  const from = typeOf(nodeOf(cast, 'child'))
  return from !== '' && HAS_ZONE.test(from) !== HAS_ZONE.test(typeOf(cast)) ? OF_ZONES : []
}

/** The settings that change what a plan gives without changing the plan. What may be sensitive to one counts as such. */
export function mindedIn(plan: JsonNode): ReadonlySet<MindedSetting> {
  const minded = new Set<MindedSetting>()
  for (const { node } of nodesBelow(plan, null, () => ({ held: null }))) {
    const kind = textOf(node, 'expression_class')
    const found = CALLS.has(kind) ? mindedByCall(node) : kind === 'BOUND_CAST' ? mindedByCast(node) : []
    for (const setting of found) minded.add(setting)
  }
  return minded
}
