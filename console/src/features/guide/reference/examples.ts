import { quoted } from '@boathouse/contract/quoted'
import type { ReferenceCall } from './document.ts'
import { choicesOf, resolved, type Schema, type Schemas } from './schema.ts'

/** What fields of these names hold in most accounts, so that an example can be run as it is. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  catalog: 'default_catalog',
  databaseName: 'main',
  database: 'main',
  tableName: 'my_table',
  username: 'ada',
  user: 'ada',
  email: 'ada@example.com',
  sql: 'select 1',
  search: 'orders',
  name: 'example',
  role: 'public',
  month: '2026-01',
}

const BY_FORMAT: Readonly<Record<string, unknown>> = {
  uuid: '00000000-0000-4000-8000-000000000000',
  base64: 'cGFzc3dvcmQ=',
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  email: 'ada@example.com',
}

const fits = (value: unknown, { pattern, maxLength = Infinity }: Schema): boolean =>
  typeof value !== 'string' ||
  (value.length <= maxLength && (!pattern || new RegExp(pattern, 'u').test(value)))

function textFor(name: string, schema: Schema): string {
  const known = schema.format ? BY_FORMAT[schema.format] : BY_NAME[name]
  const value = typeof known === 'string' ? known : 'text'
  return fits(value, schema) ? value : value.slice(0, schema.maxLength ?? value.length)
}

/** The smallest value that a call takes; `known` has what is true for the reader, by the name of the field. */
export function exampleOf(
  schema: Schema,
  schemas: Schemas,
  { name = '', known = {} }: { name?: string; known?: Readonly<Record<string, string>> } = {},
): unknown {
  const own = resolved(schema, schemas)
  if (own.default !== undefined) return own.default
  if (own.const !== undefined) return own.const
  if (own.enum) return own.enum[0]
  const { choices, mayBeNull } = choicesOf(own)
  const [only = own] = choices
  if (own.anyOf ?? own.oneOf) return mayBeNull ? null : exampleOf(only, schemas, { name, known })
  switch (only.type) {
    case 'object':
      return Object.fromEntries(
        (only.required ?? []).map((field) => [
          field,
          exampleOf(only.properties?.[field] ?? {}, schemas, { name: field, known }),
        ]),
      )
    case 'array':
      return (only.minItems ?? 0) > 0 ? [exampleOf(only.items ?? {}, schemas, { name, known })] : []
    case 'integer':
    case 'number':
      return name === 'limit' ? Math.min(100, only.maximum ?? 100) : Math.max(0, only.minimum ?? 0)
    case 'boolean':
      return false
    case 'string':
      return known[name] ?? textFor(name, only)
    case undefined:
    default:
      return null
  }
}

export const prettyJson = (value: unknown): string => JSON.stringify(value, null, 2)

/** Without a token, openssl cannot make the signature: it takes no empty key. */
const signature = (hasToken: boolean): string =>
  hasToken
    ? `openssl dgst -sha256 -hmac "$TOKEN" -r | cut -d ' ' -f 1`
    : `node -e "let t='';process.stdin.on('data',d=>t+=d).on('end',()=>console.log(require('node:crypto').createHmac('sha256','').update(t).digest('hex')))"`

function signedCurl({ path, method, needs }: ReferenceCall, host: string, body: string): string {
  const hasToken = needs !== 'nothing'
  const isPost = method === 'POST'
  return [
    ...(isPost ? [`BODY=${quoted.shell(body)}`] : ["BODY=''"]),
    'NONCE=$(openssl rand -hex 16)',
    'TIMESTAMP=$(date +%s)000',
    `SIGNATURE=$(printf '%s\\n%s\\n%s' "$NONCE" "$TIMESTAMP" "$BODY" | ${signature(hasToken)})`,
    `curl ${host}${path} \\`,
    ...(hasToken ? ['  -H "token: $TOKEN" \\'] : []),
    `  -H "nonce: $NONCE" -H "timestamp: $TIMESTAMP" -H "signature: $SIGNATURE"${isPost ? ' \\' : ''}`,
    ...(isPost ? ['  -H \'Content-Type: application/json\' -d "$BODY"'] : []),
  ].join('\n')
}

export function curlExample(call: ReferenceCall, host: string, body: unknown): string {
  const text = JSON.stringify(body)
  if (call.needs === 'nothing' || call.refusesKeys) return signedCurl(call, host, text)
  return [
    `curl ${host}${call.path} \\`,
    '  -H "Authorization: Bearer $BOATHOUSE_KEY" \\',
    `  -H 'Content-Type: application/json' -d ${quoted.shell(text)}`,
  ].join('\n')
}

export function typescriptExample(call: ReferenceCall, host: string, body: unknown): string {
  const isEmpty = typeof body === 'object' && body !== null && Object.keys(body).length === 0
  const sent = call.input === null || isEmpty ? '' : objectText(body)
  const who = call.refusesKeys
    ? "account: 'ABC12345', user: 'ada', password: process.env.BOATHOUSE_PASSWORD"
    : 'key: process.env.BOATHOUSE_KEY'
  return [
    "import { connect } from '@boathouse/client'",
    '',
    `const boathouse = await connect({ url: '${host}', ${who} })`,
    `const answer = await boathouse.api.${call.function}(${sent})`,
    'console.log(answer)',
    'await boathouse.close()',
  ].join('\n')
}

/** As people write it: names without quotes. */
const objectText = (value: unknown): string =>
  prettyJson(value).replaceAll(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, '$1$2:')
