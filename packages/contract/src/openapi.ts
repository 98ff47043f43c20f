import { z } from 'zod/mini'
import { API_PREFIX, type Call } from './call.ts'
import { CALL_GROUPS } from './call-groups.ts'
import { CODES, type CodeName } from './codes.ts'
import { contract } from './contract.ts'
import { onlyReads } from './reading-calls.ts'
import { SIGNED_HEADERS } from './signature.ts'

/** Codes that any call can answer, beside its own. */
const COMMON_FAILS: readonly CodeName[] = [
  'BadInput',
  'BadSignature',
  'StaleRequest',
  'TooLarge',
  'IpBlocked',
  'Internal',
  'Unavailable',
  'DiskFull',
]
const LOGIN_FAILS: readonly CodeName[] = ['LoginRequired', 'NoPermission', 'AccountFrozen']

export const failsOf = (call: Call): CodeName[] => [
  ...new Set([...COMMON_FAILS, ...(call.needs === 'nothing' ? [] : LOGIN_FAILS), ...call.fails]),
]

/** What is said of a call and of its fields, by their names with points between them, as in `list.name`. */
interface CallDescription {
  readonly description: string
  readonly input: Readonly<Record<string, string>>
  readonly output: Readonly<Record<string, string>>
}
/** By the paths of the calls. */
export type CallDescriptions = Readonly<Record<string, CallDescription>>
const NONE: CallDescriptions = {}

type Schemas = Record<string, unknown>

export interface JsonSchema {
  readonly [keyword: string]: unknown
  readonly properties?: Readonly<Record<string, JsonSchema>>
}

const LISTED = ['anyOf', 'oneOf', 'allOf'] as const

/** The schema with what is said of its fields, through lists and choices. */
export function withDescriptions(
  schema: JsonSchema,
  said: Readonly<Record<string, string>>,
  before = '',
): JsonSchema {
  const within = (part: unknown) => withDescriptions(part as JsonSchema, said, before)
  const parts: Record<string, unknown> = { ...schema }
  for (const keyword of LISTED)
    if (Array.isArray(schema[keyword])) parts[keyword] = (schema[keyword] as unknown[]).map(within)
  if (typeof schema['items'] === 'object') parts['items'] = within(schema['items'])
  if (schema.properties)
    parts['properties'] = Object.fromEntries(
      Object.entries(schema.properties).map(([name, field]) => {
        const full = before + name
        const described = withDescriptions(field, said, `${full}.`)
        return [name, said[full] === undefined ? described : { ...described, description: said[full] }]
      }),
    )
  return parts
}

/**
 * A schema as JSON. Definitions that refer to themselves move among the document's components: a reference inside a
 * document counts from the document's root, so it would find nothing where the generator leaves them.
 */
function jsonSchema(
  schema: z.ZodMiniType,
  io: 'input' | 'output',
  place: { name: string; schemas: Schemas },
) {
  const generated = z.toJSONSchema(schema, { io, target: 'draft-2020-12', unrepresentable: 'any' })
  const prefix = `${place.name}.${io}.`
  const placed = JSON.stringify(generated).replaceAll('"#/$defs/', `"#/components/schemas/${prefix}`)
  const { $schema: _, $defs, ...body } = JSON.parse(placed) as { $schema?: string; $defs?: Schemas }
  for (const [name, definition] of Object.entries($defs ?? {})) place.schemas[prefix + name] = definition
  return body
}

const envelope = (data: unknown) => ({
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: { type: 'integer' }, message: { type: 'string' }, data },
})

const json = (schema: unknown) => ({ 'application/json': { schema } })

const groupOf = (call: Call): string => call.path.split('/')[1] ?? ''

interface Described {
  readonly name: string
  readonly schemas: Schemas
  readonly said: CallDescription | undefined
}

function operation(call: Call, { name, schemas, said }: Described) {
  const operationId = call.path.slice(1).replaceAll('/', '.')
  const place = { name: operationId, schemas }
  const responses: Record<number, unknown> = {}
  for (const status of new Set(failsOf(call).map((name) => CODES[name].http))) {
    const names = failsOf(call).filter((name) => CODES[name].http === status)
    responses[status] = {
      description: names.map((name) => `${CODES[name].code} ${name}`).join(', '),
      content: json({ $ref: '#/components/schemas/Refusal' }),
    }
  }
  return {
    operationId,
    summary: call.summary,
    ...(said?.description ? { description: said.description } : {}),
    tags: [groupOf(call)],
    security:
      call.needs === 'nothing' ? [] : call.refusesKeys ? [{ token: [] }] : [{ token: [] }, { apiKey: [] }],
    ...(call.refusesKeys && { 'x-refuses-keys': true }),
    'x-needs': call.needs,
    'x-function': name,
    'x-changes': !onlyReads(call),
    'x-timeout-ms': call.timeoutMs,
    'x-to-central': call.toCentral,
    ...(call.method === 'POST'
      ? {
          requestBody: {
            required: true,
            content: json(withDescriptions(jsonSchema(call.input, 'input', place), said?.input ?? {})),
          },
        }
      : {}),
    responses: {
      ...responses,
      200: {
        description: '20000 Ok',
        content: json(
          envelope(withDescriptions(jsonSchema(call.output, 'output', place), said?.output ?? {})),
        ),
      },
    },
  }
}

/** The OpenAPI 3.1 document of the whole contract; served at `/api/openapi.json`. */
export function openApiDocument(version: string, descriptions: CallDescriptions = NONE) {
  const work = describeAll(version, descriptions)
  let step = work.next()
  while (!step.done) step = work.next()
  return step.value
}

/** The same, one call with each step: all of them take a tenth of a second, in which a server has others to answer. */
export function* describeAll(version: string, descriptions: CallDescriptions) {
  const paths: Record<string, Record<string, unknown>> = {}
  const schemas: Schemas = {}
  const groups = new Set<string>()
  for (const [module, calls] of Object.entries(contract))
    for (const [own, call] of Object.entries<Call>(calls)) {
      groups.add(groupOf(call))
      const described = operation(call, { name: `${module}.${own}`, schemas, said: descriptions[call.path] })
      paths[API_PREFIX + call.path] = { [call.method.toLowerCase()]: described }
      yield
    }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Boathouse',
      version,
      description:
        'A program sends an API key as a bearer. A sign-in sends the headers token, nonce, timestamp and signature; see docs/protocols.md for how the signature is made.',
    },
    tags: [...groups].toSorted().map((name) => ({ name, description: CALL_GROUPS[name] ?? '' })),
    components: {
      schemas: { ...schemas, Refusal: envelope({ type: 'null' }) },
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: SIGNED_HEADERS.token },
        apiKey: { type: 'http', scheme: 'bearer' },
      },
    },
    paths,
  }
}
