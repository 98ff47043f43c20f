import { z } from 'zod/mini'
import { API_PREFIX, type Call } from './call.ts'
import { CODES, type CodeName } from './codes.ts'
import { allCalls } from './contract.ts'
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

type Schemas = Record<string, unknown>

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

function operation(call: Call, schemas: Schemas) {
  const operationId = call.path.slice(1).replaceAll('/', '.')
  const place = { name: operationId, schemas }
  const responses: Record<number, unknown> = {}
  for (const status of new Set(failsOf(call).map((name) => CODES[name].http))) {
    const names = failsOf(call).filter((name) => CODES[name].http === status)
    responses[status] = {
      description: names.map((name) => `${CODES[name].code} ${name}`).join(', '),
      content: json(envelope({ type: 'null' })),
    }
  }
  return {
    operationId,
    summary: call.summary,
    tags: [call.path.split('/')[1]],
    security:
      call.needs === 'nothing' ? [] : call.refusesKeys ? [{ token: [] }] : [{ token: [] }, { apiKey: [] }],
    ...(call.refusesKeys && { 'x-refuses-keys': true }),
    'x-needs': call.needs,
    'x-timeout-ms': call.timeoutMs,
    'x-to-central': call.toCentral,
    ...(call.method === 'POST'
      ? { requestBody: { required: true, content: json(jsonSchema(call.input, 'input', place)) } }
      : {}),
    responses: {
      ...responses,
      200: { description: '20000 Ok', content: json(envelope(jsonSchema(call.output, 'output', place))) },
    },
  }
}

let known: { readonly version: string; readonly document: ReturnType<typeof describeAll> } | undefined

/**
 * The OpenAPI 3.1 document of the whole contract; served at `/api/openapi.json`. Made once: it takes a tenth of a second,
 * and is the same for as long as the process lives.
 */
export function openApiDocument(version: string) {
  if (known?.version !== version) known = { version, document: describeAll(version) }
  return known.document
}

function describeAll(version: string) {
  const paths: Record<string, Record<string, unknown>> = {}
  const schemas: Schemas = {}
  for (const call of allCalls())
    paths[API_PREFIX + call.path] = { [call.method.toLowerCase()]: operation(call, schemas) }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Boathouse',
      version,
      description:
        'Every call carries the headers token, nonce, timestamp and signature; see docs/protocols.md for how the signature is made.',
    },
    components: {
      schemas,
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: SIGNED_HEADERS.token },
        apiKey: { type: 'http', scheme: 'bearer' },
      },
    },
    paths,
  }
}
