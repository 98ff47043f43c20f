import type { BoundValue, BoundValues } from '@boathouse/contract/parameters'
import type { Scalar, Value, Values } from './values.ts'

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
