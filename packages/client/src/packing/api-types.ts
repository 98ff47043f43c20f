import type { Call } from '@boathouse/contract/call'
import { CODES } from '@boathouse/contract/codes'
import { contract } from '@boathouse/contract/contract'
import {
  type CallDescriptions,
  failsOf,
  type JsonSchema,
  withDescriptions,
} from '@boathouse/contract/openapi'
import { z } from 'zod/mini'

/** As much of JSON Schema as the contract's schemas become. */
interface Schema {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema | false
  readonly prefixItems?: readonly Schema[]
}

const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}

const isName = (text: string): boolean => /^[A-Za-z_$][\w$]*$/.test(text)
const key = (name: string): string => (isName(name) ? name : JSON.stringify(name))
const inBrackets = (type: string): string => (/[|&]/.test(type) && !type.startsWith('{') ? `(${type})` : type)
const joined = (types: readonly string[], by: string): string => [...new Set(types)].join(by)

const comment = (text: string | undefined, indent: string): string =>
  text ? `${indent}/** ${text.replaceAll('*/', '* /')} */\n` : ''

/** A schema as a type of TypeScript. `nameOf` gives the name of a definition that refers to itself. */
function typeOf(schema: Schema, nameOf: (definition: string) => string, indent = ''): string {
  const type = (part: Schema) => typeOf(part, nameOf, indent)
  if (schema.$ref) return nameOf(schema.$ref.split('/').at(-1) ?? '')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum)
    return joined(
      schema.enum.map((one) => JSON.stringify(one)),
      ' | ',
    )
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return joined(choices.map(type), ' | ')
  if (schema.allOf)
    return joined(
      schema.allOf.map((part) => inBrackets(type(part))),
      ' & ',
    )
  if (Array.isArray(schema.type))
    return joined(
      schema.type.map((one: string) => type({ ...schema, type: one })),
      ' | ',
    )
  if (schema.prefixItems) return `[${schema.prefixItems.map(type).join(', ')}]`
  if (schema.type === 'array') return `${inBrackets(schema.items ? type(schema.items) : 'unknown')}[]`
  if (schema.type === 'object') return objectType(schema, nameOf, indent)
  return PLAIN[schema.type as string] ?? 'unknown'
}

function objectType(schema: Schema, nameOf: (definition: string) => string, indent: string): string {
  const inner = `${indent}  `
  const { properties = {}, required = [], additionalProperties: others } = schema
  const fields = Object.entries(properties).map(
    ([name, field]) =>
      `${comment(field.description, inner)}${inner}${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(field, nameOf, inner)}`,
  )
  if (fields.length > 0) return `{\n${fields.join('\n')}\n${indent}}`
  return typeof others === 'object'
    ? `Record<string, ${typeOf(others, nameOf, indent)}>`
    : 'Record<string, unknown>'
}

/** Definitions that refer to themselves, by their name in the file. */
type Definitions = Map<string, string>

interface Place {
  readonly name: string
  readonly own: string
  readonly found: Definitions
  readonly said: CallDescriptions[string] | undefined
}

function written(schema: z.ZodMiniType, io: 'input' | 'output', place: Place): string {
  const bare = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  const generated = withDescriptions(bare as JsonSchema, place.said?.[io] ?? {}) as Schema
  const nameOf = (definition: string) => `${place.name}_${io}_${definition}`.replaceAll(/\W/g, '_')
  for (const [definition, part] of Object.entries(generated.$defs ?? {}))
    place.found.set(nameOf(definition), typeOf(part, nameOf))
  return typeOf(generated, nameOf, '    ')
}

const whoMayCall = ({ needs }: Call): string => {
  if (needs === 'nothing') return 'Needs no sign-in.'
  return needs === 'login' ? 'Needs a sign-in.' : `Needs the role ${needs.roles.join(' and ')}.`
}

const asksForNothing = (call: Call): boolean => call.input.safeParse({}).success

function functionType(call: Call, place: Place): string {
  const input = written(call.input, 'input', place)
  const output = written(call.output, 'output', place)
  return [
    '    /**',
    `     * ${call.summary}. ${whoMayCall(call)}${call.refusesKeys ? ' Not with an API key.' : ''}`,
    `     * Fails with ${failsOf(call).join(', ')}.`,
    '     */',
    `    ${key(place.own)}(input${asksForNothing(call) ? '?' : ''}: ${input}, options?: CallOptions): Promise<${output}>`,
  ].join('\n')
}

/** The declarations of `api.ts` without the contract and its library: plain types that an editor can show. */
export function apiTypes(descriptions: CallDescriptions = {}): string {
  const found: Definitions = new Map()
  const modules = Object.entries(contract).map(([module, calls]) => {
    const functions = Object.entries<Call>(calls).map(([own, call]) =>
      functionType(call, { name: `${module}_${own}`, found, own, said: descriptions[call.path] }),
    )
    return `  readonly ${key(module)}: {\n${functions.join('\n')}\n  }`
  })
  const definitions = [...found].map(([name, type]) => `type ${name} = ${type}`)
  return [
    `export type CodeName =\n${Object.keys(CODES)
      .map((name) => `  | '${name}'`)
      .join('\n')}`,
    `export interface CallOptions {\n  /** Ends the wait for the answer; the call rejects with the signal's reason. */\n  readonly signal?: AbortSignal | undefined\n}`,
    ...definitions,
    `/** Every call of the server, by module. */\nexport interface Api {\n${modules.join('\n')}\n}`,
    '',
  ].join('\n\n')
}
