/** As much of JSON Schema as the calls of the contract become. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
}

export type Schemas = Readonly<Record<string, Schema>>

/** What a reference leads to; anything else is itself. */
export function resolved(schema: Schema, schemas: Schemas): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (schemas[name] ?? {})
}

const isNull = ({ type }: Schema): boolean => type === 'null'

/** The choices of a schema without null, and whether null is one. */
export function choicesOf(schema: Schema): {
  readonly choices: readonly Schema[]
  readonly mayBeNull: boolean
} {
  const all = schema.anyOf ?? schema.oneOf
  if (all) return { choices: all.filter((one) => !isNull(one)), mayBeNull: all.some(isNull) }
  if (Array.isArray(schema.type))
    return {
      choices: schema.type.filter((type) => type !== 'null').map((type: string) => ({ ...schema, type })),
      mayBeNull: schema.type.includes('null'),
    }
  return { choices: [schema], mayBeNull: false }
}
