import { OutsideRefused } from '../../kernel/outside.ts'

/** Of one schema, and of all that a table has had; parts of columns count as columns do. */
const MOST = { schemas: 1000, fields: 10_000, fieldsOfAll: 50_000, depth: 32 } as const
export const LONGEST_NAME = 1000

const farTooMuch = (what: string): OutsideRefused =>
  new OutsideRefused('nonsense', `its metadata has more than ${what}`)

/** Counts the fields of unchecked input, and never goes deeper than allowed. */
function fieldsIn(type: unknown, depth = 0): number {
  if (typeof type !== 'object' || type === null) return 0
  if (depth > MOST.depth) throw farTooMuch(`${MOST.depth} levels of parts in a column`)
  const { fields, element, key, value } = type as Readonly<Record<string, unknown>>
  let count = 0
  for (const field of Array.isArray(fields) ? (fields as readonly unknown[]) : []) {
    count++
    if (typeof field === 'object' && field !== null && 'type' in field)
      count += fieldsIn(field.type, depth + 1)
  }
  for (const part of [element, key, value]) count += fieldsIn(part, depth + 1)
  return count
}

/** Rejects input that is too large before parsing it on the thread that serves everyone. */
export function requireBounds<T>(schemas: readonly T[]): readonly T[] {
  if (schemas.length > MOST.schemas) throw farTooMuch(`${MOST.schemas} schemas`)
  let all = 0
  for (const schema of schemas) {
    const count = fieldsIn(schema)
    all += count
    if (count > MOST.fields) throw farTooMuch(`${MOST.fields} columns and parts of them`)
    if (all > MOST.fieldsOfAll)
      throw farTooMuch(`${MOST.fieldsOfAll} columns and parts of them in all its schemas`)
  }
  return schemas
}
