import {
  bindingCost,
  type Expansion,
  type ExpansionOf,
  readStatement,
  STEPS_OF_EXPANSION,
  type Statement,
  wordsForComplexity,
} from '@boathouse/sql'
import type { DefinedMacro, DefinedView, Definitions } from '../objects/definitions.ts'
import { StatementRefused } from '../errors.ts'
import { MYSQL_DIALECT } from './mysql-dialect.ts'
import { MYSQL_FUNCTIONS } from './mysql-functions.ts'
import { GUARDED_FUNCTIONS, type Guarded } from './guarded-functions.ts'

/** Functions of DuckDB's own that are macros to it, and how often each reads the argument that it reads most. */
const READS_ARGUMENTS: Readonly<Record<string, number>> = {
  array_pop_back: 2,
  array_to_string: 2,
  array_to_string_comma_default: 2,
  fmod: 2,
  format_pg_type: 15,
  // By way of the one above it.
  format_type: 15,
  json_group_array: 2,
  json_group_object: 2,
  json_group_structure: 16,
  map_contains_entry: 2,
  map_to_pg_oid: 19,
  nullif: 2,
  pg_get_constraintdef: 2,
  round_even: 3,
  split_part: 2,
  wavg: 2,
  weighted_avg: 2,
}

const times = (text: string, word: string): number =>
  [...text.matchAll(new RegExp(String.raw`\b${word}\b`, 'g'))].length

/** Of a macro of ours, by its parameters, in whichever of its forms reads one most. */
function readsArguments({ body }: Guarded): number {
  const names = new Set(
    [...body.matchAll(/(?:^|, )\(([^()]*)\) AS /g)].flatMap(([, list = '']) =>
      list.split(', ').map((parameter) => parameter.split(' ')[0] ?? ''),
    ),
  )
  const forms = body.split(/(?:^|, )\([^()]*\) AS /)
  return Math.max(1, ...forms.flatMap((form) => [...names].map((name) => (name ? times(form, name) : 0))))
}

const SHARED: ReadonlyMap<string, Expansion> = new Map(
  [
    ...Object.entries(READS_ARGUMENTS),
    ...[...GUARDED_FUNCTIONS, ...MYSQL_FUNCTIONS, ...MYSQL_DIALECT].map((one): [string, number] => [
      one.name,
      readsArguments(one),
    ]),
  ]
    .filter(([, factor]) => factor > 1)
    .map(([name, factor]) => [name, { steps: STEPS_OF_EXPANSION, factor }]),
)

type Defined = DefinedView | DefinedMacro

/**
 * Refuses a statement of which a little text stands for more than DuckDB can bind in a moment: it binds a view and a
 * macro wherever they are named, a macro's argument wherever the macro names it, and cannot be interrupted meanwhile.
 */
export async function refuseExpansive(sql: string, definitions: Definitions): Promise<void> {
  const statement = readStatement(sql)
  const defined = [...(await definitions.views()), ...(await definitions.macros())]
  const { tooComplex } = bindingCost(statement, expansionsOf(defined))
  if (!tooComplex) return
  const message = wordsForComplexity(tooComplex)
  throw new StatementRefused({ kind: 'resource', message, offset: tooComplex.offset })
}

function expansionsOf(defined: readonly Defined[]): ExpansionOf {
  const byName = new Map<string, Defined[]>()
  for (const one of defined) {
    const name = one.name.toLowerCase()
    const same = byName.get(name)
    if (same) same.push(one)
    else byName.set(name, [one])
  }
  const known = new Map<Defined, Expansion>()
  const begun = new Set<Defined>()

  /** Two of one name may name each other in words that could mean either: what is being counted counts once. */
  function expansion(one: Defined): Expansion {
    const found = known.get(one)
    if (found) return found
    if (begun.has(one)) return ONE
    begun.add(one)
    const statement = readStatement('sql' in one ? one.sql : one.body)
    const { steps } = bindingCost(statement, (name, qualifier) => of(name, qualifier, one))
    begun.delete(one)
    const counted = { steps: STEPS_OF_EXPANSION + steps, factor: 'sql' in one ? 1 : mostRepeated(statement) }
    known.set(one, counted)
    return counted
  }

  function of(name: string, qualifier: string | null, from: Defined | null): Expansion | null {
    const key = name.toLowerCase()
    const place = qualifier?.toLowerCase()
    const meant = byName
      .get(key)
      ?.filter((one) => one !== from && (place === undefined || isIn(one, place)))
      .map(expansion)
    if (!meant || meant.length === 0) return SHARED.get(key) ?? null
    return {
      steps: Math.max(...meant.map(({ steps }) => steps)),
      factor: Math.max(...meant.map(({ factor }) => factor)),
    }
  }

  return (name, qualifier) => of(name, qualifier, null)
}

const ONE: Expansion = { steps: STEPS_OF_EXPANSION, factor: 1 }

/** Before a name stands its schema, or its catalog. */
const isIn = ({ catalog, schema }: Defined, place: string): boolean =>
  schema.toLowerCase() === place || catalog.toLowerCase() === place

/** How often the name stands in it that does so most: its parameters are names. */
function mostRepeated({ text }: Pick<Statement, 'text'>): number {
  const counts = new Map<string, number>()
  for (const [word] of text.matchAll(/[\p{L}_][\p{L}\p{N}_]*/gu))
    counts.set(word, (counts.get(word) ?? 0) + 1)
  return Math.max(1, ...counts.values())
}
