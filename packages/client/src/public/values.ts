import type { BoundValue, BoundValues } from '@boathouse/contract/parameters'

type Scalar = string | number | bigint | boolean | Date

/** A value of a parameter: a `Date` is a time in UTC, an array is a list for IN; others can say what they are. */
export type Value =
  | null
  | Scalar
  | readonly Scalar[]
  | { readonly type: 'text' | 'number' | 'date' | 'timestamp' | 'boolean'; readonly value: string }

/** By the names of the parameters; the ends of a range are `name.from` and `name.to`. */
export type Values = Readonly<Record<string, Value>>

type Typed = Extract<BoundValue, { value: string }>

function typed(value: Scalar): Typed {
  if (typeof value === 'string') return { type: 'text', value }
  if (typeof value === 'boolean') return { type: 'boolean', value: String(value) }
  if (!(value instanceof Date)) return { type: 'number', value: String(value) }
  return { type: 'timestamp', value: value.toISOString().slice(0, 23).replace('T', ' ') }
}

function bound(name: string, value: Value): BoundValue {
  if (value === null) return null
  if (!Array.isArray(value)) {
    const isTyped = typeof value === 'object' && !(value instanceof Date)
    return isTyped ? (value as Typed) : typed(value)
  }
  const each = (value as readonly Scalar[]).map(typed)
  const [first] = each
  if (!first || each.some(({ type }) => type !== first.type))
    throw new TypeError(`The values of ${name} must be at least one, and all of the same type.`)
  return { type: first.type, values: each.map((one) => one.value) }
}

/** As they are sent. Names are the same in small and in capital letters. */
export const boundValues = (values: Values): BoundValues =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name.toLowerCase(), bound(name, value)] as const),
  )
