import { isSecretField } from '@boathouse/contract'
import { jsonText } from '../../store/json-text.ts'

function ordered(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, item]) => [key, isSecretField(key) ? '***' : ordered(item)]))
}

/** One text for one value: keys in order, no spaces. Fields that hold secrets say only that there is one. */
export const canonicalJson = (value: unknown): string => jsonText(ordered(value))
