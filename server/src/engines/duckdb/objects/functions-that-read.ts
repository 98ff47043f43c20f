import { CHANGING_FUNCTIONS } from '../guard/changing-functions.ts'
import { Unresolved } from './bound-plan.ts'
import type { Names } from './parse-tree.ts'

/** They read a table whose name is a value. */
const OPAQUE = new Set(['histogram', 'histogram_values', 'query_table'])

/** They tell of the type of what they are given, which then is not in the plan: of a table, all its columns. */
const OF_TYPES = new Set([
  'can_cast_implicitly',
  'cast_to_type',
  'enum_first',
  'enum_last',
  'enum_range',
  'enum_range_boundary',
  'pg_typeof',
  'typeof',
])

export const DRAWS = /^(currval|nextval)$/i

export const asksTypes = ({ functions }: Names): boolean =>
  functions.some(({ name }) => OF_TYPES.has(name.toLowerCase()))

export const namesOpaque = ({ functions }: Names): boolean =>
  functions.some(({ name }) => OPAQUE.has(name.toLowerCase()))

/** A statement is bound twice, to be decided on and to be run: what is named by a value must be the same both times. */
export function requireSteady(names: Names): void {
  if (namesOpaque(names) && names.functions.some(({ name }) => CHANGING_FUNCTIONS.has(name.toLowerCase())))
    throw new Unresolved('it names a table by a value, beside a function that gives another value each time')
}

export const namesByValue = (names: Names): boolean =>
  namesOpaque(names) || names.functions.some(({ name }) => DRAWS.test(name))

/** Of a function that reads what is not in the plan, or not by the name that is there. */
export const saysMore = (name: string): boolean => {
  const small = name.toLowerCase()
  return OPAQUE.has(small) || OF_TYPES.has(small) || DRAWS.test(name)
}
