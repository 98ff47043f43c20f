import { AUDIT_WORDS, type AuditChange } from '@boathouse/contract'

/** Deeper than this a value is one text. */
const LEVELS = 4

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const { notSet, none, yes, no } = AUDIT_WORDS

/** As people say it: nobody should have to know what null is. */
function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return notSet
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? yes : no
  if (Array.isArray(value)) return value.length === 0 ? none : value.map(textOf).join(', ')
  if (isFields(value)) return wordsOf(value)
  return JSON.stringify(value)
}

const wordsOf = (fields: Readonly<Record<string, unknown>>): string =>
  Object.keys(fields).length === 0
    ? none
    : Object.entries(fields)
        .map(([name, value]) => `${name}: ${textOf(value)}`)
        .join('; ')

/** Fields within fields are named as in `owner.name`. */
function addFields(found: Map<string, string>, value: unknown, path: readonly string[]): void {
  if (isFields(value) && path.length < LEVELS && Object.keys(value).length > 0)
    for (const [name, item] of Object.entries(value)) addFields(found, item, [...path, name])
  else found.set(path.join('.'), textOf(value))
}

function fieldsOf(value: unknown): Map<string, string> {
  const found = new Map<string, string>()
  if (isFields(value)) for (const [name, item] of Object.entries(value)) addFields(found, item, [name])
  return found
}

/** What is different, field by field: all of what is new or gone, and of what stayed the fields that changed. */
export function changesBetween(before: unknown, after: unknown): AuditChange[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)]
  const names = [...new Set([...old.keys(), ...now.keys()])]
  return names
    .map((field) => ({ field, before: old.get(field) ?? null, after: now.get(field) ?? null }))
    .filter((change) => change.before !== change.after)
}

interface Bounds {
  readonly fields: number
  readonly length: number
}

/** The first of them, with the beginnings of their values. */
export function cutChanges(
  changes: readonly AuditChange[],
  { fields, length }: Bounds,
): { changes: AuditChange[]; isCut: boolean } {
  let isCut = changes.length > fields
  const cut = (text: string | null): string | null => {
    if (text === null || text.length <= length) return text
    isCut = true
    return `${text.slice(0, length)}…`
  }
  const shown = changes
    .slice(0, fields)
    .map(({ field, before, after }) => ({ field, before: cut(before), after: cut(after) }))
  return { changes: shown, isCut }
}
