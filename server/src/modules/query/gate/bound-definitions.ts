import { foldedKey } from '@boathouse/contract'
import type { ObjectUse } from '../../../engines/engine/objects.ts'

/** Something that a stored definition uses; of a macro with a print of its text. */
export type BoundName = readonly [catalog: string, database: string, name: string, type: string, body: string]

/** Changed by somebody whose changes need no confirmation: whatever it is next is right. */
const ANY = ''

const TYPES: ReadonlySet<string> = new Set(['table', 'view', 'function'])

const keyOf = ([catalog, database, name, type]: BoundName): string =>
  foldedKey([catalog, database, name, type])

/** What these uses are bound to, each once. */
export function boundOf(uses: readonly ObjectUse[]): readonly BoundName[] {
  const names = new Map<string, BoundName>()
  for (const { object, body } of uses) {
    const { type, catalog, database, name } = object
    if (!TYPES.has(type)) continue
    const one: BoundName = [catalog, database ?? '', name ?? '', type, body ?? ANY]
    names.set(JSON.stringify([keyOf(one), one[4]]), one)
  }
  return [...names.values()]
}

/**
 * The first thing that a definition uses now and did not use when it was created or confirmed: another table, view or
 * macro, or a macro with another text. Null if nothing changed. A table can have been recreated with other columns.
 */
export function newlyUsed(before: readonly BoundName[], now: readonly BoundName[]): BoundName | null {
  const bodies = new Map<string, Set<string>>()
  for (const one of before) {
    const known = bodies.get(keyOf(one)) ?? new Set()
    bodies.set(keyOf(one), known.add(one[4]))
  }
  const isKnown = (one: BoundName) => {
    const known = bodies.get(keyOf(one))
    return known !== undefined && (known.has(one[4]) || known.has(ANY))
  }
  const other = now.filter((one) => !isKnown(one))
  // A macro says more than what it reads.
  return other.find(([, , , type]) => type === 'function') ?? other[0] ?? null
}

/** Whether the stored names have to be written again. */
export const isOutdated = (before: readonly BoundName[], now: readonly BoundName[]): boolean =>
  before.some((one) => one[3] === 'function' && one[4] === ANY) &&
  now.some(([, , , type]) => type === 'function')

const KINDS: Readonly<Record<string, string>> = { table: 'table', view: 'view', function: 'macro' }

export const boundText = ([, database, name, type]: BoundName): string =>
  `the ${KINDS[type] ?? type} ${database}.${name}`
