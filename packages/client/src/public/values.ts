export type Scalar = string | number | bigint | boolean | Date

/** A value of a parameter: a `Date` is a time in UTC, an array is a list for IN; others can say what they are. */
export type Value =
  | null
  | Scalar
  | readonly Scalar[]
  | { readonly type: 'text' | 'number' | 'date' | 'timestamp' | 'boolean'; readonly value: string }

/** By the names of the parameters; the ends of a range are `name.from` and `name.to`. */
export type Values = Readonly<Record<string, Value>>
