import { quotedString } from '@duckdb/node-api'
import { INTERNAL_SCHEMA } from './internal-schema.ts'
import { refuses } from './raised-error.ts'

/** A macro that is found before DuckDB's own function of this name; several of a name differ in their parameters. */
export interface Guarded {
  readonly name: string
  readonly body: string
}

const MIB = 1024 * 1024
// A single value is made in one go, which nothing can interrupt.
const MOST_TEXT = 16 * MIB
const MOST_ITEMS = 16 * MIB
// Steps of comparing two texts character by character.
const MOST_STEPS = 16_000_000
// As deep as it may be without being looked at: DuckDB takes JSON apart by recursion, and its stack ends at some 30,000.
const SHORT_JSON = 40_000
const MOST_DEPTH = 100

const counted = (count: number): string => count.toLocaleString('en-US')

const MARK = 'beyond a limit: '

/**
 * The value, or words in its place that DuckDB fails to make a number of. Not `error()`: whatever holds that is no
 * constant to DuckDB, and cannot be in an index. What stands twice in a macro is worked out twice.
 */
const within = (value: string, { isTooMuch, words }: { isTooMuch: string; words: string }): string =>
  `CASE WHEN ${isTooMuch} THEN CAST(${quotedString(MARK + words)} AS TINYINT) ELSE ${value} END`

/** In words, when a value was too much. */
export function wordsForLimit(message: string): string | null {
  const [, words] = /^Could not convert string '(.*)' to INT8/.exec(message) ?? []
  return words?.startsWith(MARK) ? words.slice(MARK.length) : null
}

function text(name: string, parameters: readonly string[], isTooMuch: string): Guarded {
  const words = `${name}() makes at most ${counted(MOST_TEXT)} characters: ask for a shorter text.`
  const bounded = parameters.map((of) => (of === 'count' ? within(of, { isTooMuch, words }) : of))
  return { name, body: `(${parameters.join(', ')}) AS system.main.${name}(${bounded.join(', ')})` }
}

const pad = (name: string): Guarded => text(name, ['string', 'count', 'padding'], `count > ${MOST_TEXT}`)

const REPEAT = text(
  'repeat',
  ['string', 'count'],
  `system.main.strlen(string::VARCHAR)::HUGEINT * count > ${MOST_TEXT}`,
)

/** In a list; as a table they have no such limit. With three parameters they may be timestamps. */
function series(name: string): Guarded {
  const words = `${name}() makes a list of at most ${counted(MOST_ITEMS)} items: write FROM ${name}(…) for more.`
  const stop = (isTooMuch: string) => within('stop', { isTooMuch, words })
  const one = `system.main.${name}(${stop(`stop > ${MOST_ITEMS}`)})`
  const two = `system.main.${name}(start, ${stop(`stop::HUGEINT - start > ${MOST_ITEMS}`)})`
  const three = `system.main.${name}(start, stop, step)`
  return { name, body: `(stop) AS ${one}, (start, stop) AS ${two}, (start, stop, step) AS ${three}` }
}

const distance = (name: string): Guarded => ({
  name,
  body: `(s1, s2) AS ${within(`system.main.${name}(s1, s2)`, {
    isTooMuch: `system.main.strlen(s1) * system.main.strlen(s2) > ${MOST_STEPS}`,
    words: `${name}() compares texts whose lengths multiply to at most ${counted(MOST_STEPS)}: compare shorter ones.`,
  })}`,
})

/** Brackets within brackets, so many deep and no deeper: time in proportion to the text. */
const nested = (depth: number): string => (depth === 0 ? '' : String.raw`(?:\[${nested(depth - 1)}\])*`)

const ONLY_BRACKETS = String.raw`"(?:[^"\\]|\\.)*"|[^\[\]{}"]+`

const isDeep = (json: string): string => {
  const text = `${json}::VARCHAR`
  const brackets = `system.main.translate(system.main.regexp_replace(${text}, ${quotedString(ONLY_BRACKETS)}, '', 'g'), '{}', '[]')`
  const isFlat = `system.main.regexp_full_match(${brackets}, ${quotedString(nested(MOST_DEPTH))})`
  const opened = `system.main.strlen(${text}) - system.main.strlen(system.main.replace(system.main.replace(${text}, '[', ''), '{', ''))`
  return `system.main.strlen(${text}) > ${SHORT_JSON} AND ${opened} > ${MOST_DEPTH} AND NOT ${isFlat}`
}

function json(name: string, ...signatures: readonly (readonly string[])[]): Guarded {
  const words = `JSON text of more than ${counted(SHORT_JSON)} characters can be nested ${MOST_DEPTH} levels deep at most for ${name}().`
  const bodies = signatures.map((parameters) => {
    const list = parameters.join(', ')
    const isTooDeep = parameters.map((parameter) => `(${isDeep(parameter)})`).join(' OR ')
    return `(${list}) AS CASE WHEN ${isTooDeep} THEN system.main.error(${quotedString(words)}) ELSE system.main.${name}(${list}) END`
  })
  return { name, body: bodies.join(', ') }
}

/**
 * What it is to be made of is read when the statement is bound, whatever stands around the call: so it is bounded where it
 * stands.
 */
function transformed(name: string): Guarded {
  const words = `The structure for ${name}() can be nested ${MOST_DEPTH} levels deep at most, where it has more than ${counted(SHORT_JSON)} characters.`
  const failing = `CAST(CAST(${quotedString(MARK + words)} AS TINYINT) AS VARCHAR)`
  const bounded = `CASE WHEN ${isDeep('structure')} THEN ${failing} ELSE structure::VARCHAR END`
  return { name, body: `(json, structure) AS system.main.${name}(json, ${bounded})` }
}

/** Where the name of a session's user stands, and where the roles that are active for them. */
export const USER_VARIABLE = `${INTERNAL_SCHEMA}_user`
export const ROLES_VARIABLE = `${INTERNAL_SCHEMA}_roles`

const variableReader = (variable: string) => (name: string) => ({
  name,
  body: `() AS system.main.getvariable(${quotedString(variable)})`,
})

const unavailable = (name: string, parameters: string, instead: string): Guarded => ({
  name,
  body: `(${parameters}) AS ${refuses(`${name}() is not available: ${instead}`)}`,
})

/** What a statement may depend on, and nothing of the machine. */
const SETTINGS = [
  'calendar',
  'default_collation',
  'default_null_order',
  'default_order',
  'ieee_floating_point_ops',
  'integer_division',
  'timezone',
]
/** What a warehouse has. */
const SIZES = ['memory_limit', 'threads']

/** Of DuckDB's settings, what is shown of them. */
export const SHOWN_SETTINGS = [...SETTINGS, ...SIZES]

const SHOWN = SHOWN_SETTINGS.map(quotedString).join(', ')

const SETTING: Guarded = {
  name: 'current_setting',
  body: `(setting_name) AS CASE WHEN system.main.lower(setting_name) IN (${SHOWN}) THEN system.main.current_setting(setting_name) ELSE ${refuses(
    'This setting is not available.',
  )} END`,
}

/** Behind where the session stands come places of ours; before it, what is temporary, and at the end what every DuckDB has. */
const SCHEMAS: Guarded = {
  name: 'current_schemas',
  body: `(include_implicit) AS CASE include_implicit
    WHEN true THEN system.main.current_schemas(true)[1:2] || system.main.current_schemas(true)[-3:]
    WHEN false THEN system.main.current_schemas(false)[1:1] END`,
}

/** What one value can blow up or never let go of, and what would show what is ours. */
export const GUARDED_FUNCTIONS: readonly Guarded[] = [
  REPEAT,
  pad('lpad'),
  pad('rpad'),
  series('range'),
  series('generate_series'),
  ...['levenshtein', 'editdist3', 'damerau_levenshtein'].map(distance),
  json('json_structure', ['json']),
  json('json_pretty', ['json']),
  json('json_contains', ['haystack', 'needle']),
  ...['json_transform', 'json_transform_strict', 'from_json', 'from_json_strict'].map(transformed),
  json('json_merge_patch', ['a', 'b'], ['a', 'b', 'c'], ['a', 'b', 'c', 'd']),
  ...['current_user', 'session_user', 'user'].map(variableReader(USER_VARIABLE)),
  variableReader(ROLES_VARIABLE)('current_role'),
  unavailable('current_query', '', 'the history shows the text of every statement.'),
  SETTING,
  SCHEMAS,
  unavailable('get_type', 'value', 'typeof() gives the type of a value as text.'),
]
