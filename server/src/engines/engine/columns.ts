/** A column of a result. */
export interface Column {
  readonly name: string
  /** The engine's own spelling, as in `DECIMAL(18,2)`. */
  readonly type: string
  /** Derived from `valueType`, for those who need no more. */
  readonly family: ColumnFamily
  /** Missing of a result that was kept before there was one. */
  readonly valueType?: ValueType
}

/** How a value is aligned, compared and exported, whatever the engine calls its type. */
export type ColumnFamily = 'number' | 'text' | 'boolean' | 'temporal' | 'binary' | 'nested' | 'other'

/**
 * What the values of a column are, whatever the engine calls it. Whether they may be NULL is no part of it: engines say
 * that of the columns of a table, and not of those of a result.
 */
export type ValueType =
  | { readonly kind: 'boolean' }
  /** `bits` is null where there is no limit. */
  | { readonly kind: 'integer'; readonly bits: number | null; readonly isSigned: boolean }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }
  | { readonly kind: 'float'; readonly bits: 32 | 64 }
  /** Characters at most; null where there is no limit. */
  | { readonly kind: 'text'; readonly length: number | null }
  | { readonly kind: 'binary' | 'bits' | 'date' | 'interval' | 'uuid' | 'json' | 'enum' | 'geometry' }
  /** Digits of the fraction of a second; zoned: with an offset, or an instant that is shown in local time. */
  | { readonly kind: 'time' | 'timestamp'; readonly precision: number; readonly isZoned: boolean }
  /** `length` is null where lists differ in it. */
  | { readonly kind: 'list'; readonly element: ValueType; readonly length: number | null }
  | { readonly kind: 'map'; readonly key: ValueType; readonly value: ValueType }
  /** A field has an empty name where the engine gives it none. */
  | { readonly kind: 'struct' | 'union'; readonly fields: readonly ValueField[] }
  /** Each value brings its own type. */
  | { readonly kind: 'variant' }
  | { readonly kind: 'unknown' }

export type ValueField = { readonly name: string; readonly type: ValueType }

type ValueKind = ValueType['kind']

const FAMILIES: Readonly<Record<ValueKind, ColumnFamily>> = {
  boolean: 'boolean',
  integer: 'number',
  decimal: 'number',
  float: 'number',
  text: 'text',
  enum: 'text',
  uuid: 'text',
  json: 'text',
  geometry: 'text',
  binary: 'binary',
  bits: 'binary',
  date: 'temporal',
  time: 'temporal',
  timestamp: 'temporal',
  interval: 'temporal',
  list: 'nested',
  map: 'nested',
  struct: 'nested',
  union: 'nested',
  variant: 'nested',
  unknown: 'other',
}

export const familyOf = ({ kind }: ValueType): ColumnFamily => FAMILIES[kind]

/** The one way to make a column. */
export const columnOf = (name: string, type: string, valueType: ValueType): Column => ({
  name,
  type,
  family: familyOf(valueType),
  valueType,
})

export const TEXT: ValueType = { kind: 'text', length: null }
