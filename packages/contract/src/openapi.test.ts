import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { CODES } from './codes.ts'
import { API_PREFIX } from './call.ts'
import { allCalls, contract } from './contract.ts'
import { failsOf, openApiDocument } from './openapi.ts'
import { readingPaths } from './reading-calls.ts'

const document = openApiDocument('1.2.3')

const Schema = z.record(z.string(), z.unknown())
const Content = z.strictObject({ 'application/json': z.strictObject({ schema: Schema }) })
const Operation = z.looseObject({
  operationId: z.string().min(1),
  summary: z.string().min(1),
  tags: z.array(z.string()).length(1),
  security: z.array(
    z.strictObject({ token: z.array(z.never()).optional(), apiKey: z.array(z.never()).optional() }),
  ),
  requestBody: z.strictObject({ required: z.literal(true), content: Content }).optional(),
  responses: z.record(
    z.string().regex(/^[1-5]\d\d$/),
    z.strictObject({ description: z.string().min(1), content: Content }),
  ),
})
/** As much of OpenAPI 3.1 as we write; a key that we do not mean to write fails. */
const OpenApi = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({ title: z.string(), version: z.literal('1.2.3'), description: z.string() }),
  tags: z.array(z.strictObject({ name: z.string().min(1), description: z.string().min(1) })),
  components: z.strictObject({
    schemas: z.record(z.string().regex(/^[\w.-]+$/), Schema),
    securitySchemes: z.record(
      z.string(),
      z.union([
        z.strictObject({ type: z.literal('apiKey'), in: z.literal('header'), name: z.string() }),
        z.strictObject({ type: z.literal('http'), scheme: z.literal('bearer') }),
      ]),
    ),
  }),
  paths: z.record(
    z.string().startsWith('/api/'),
    z.strictObject({ get: Operation.optional(), post: Operation.optional() }),
  ),
})

/** Every value of the key, anywhere in the document. */
function valuesOf(key: string, node: unknown): unknown[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([name, value]) =>
    name === key ? [value, ...valuesOf(key, value)] : valuesOf(key, value),
  )
}

const resolve = (reference: string): unknown =>
  reference
    .slice(2)
    .split('/')
    .reduce<unknown>((node, name) => (node as Record<string, unknown> | undefined)?.[name], document)

describe('the OpenAPI document', () => {
  test('has the structure of OpenAPI 3.1 and survives being sent', () => {
    expect(OpenApi.parse(JSON.parse(JSON.stringify(document)))).toBeTruthy()
  })

  test('has each call once, under its path and method, with an id of its own', () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    )
    expect(operations.sort()).toEqual(
      allCalls()
        .map((call) => `${call.method.toLowerCase()} ${API_PREFIX}${call.path}`)
        .sort(),
    )
    const ids = valuesOf('operationId', document)
    expect(new Set(ids).size).toBe(allCalls().length)
  })

  test('points only at what it holds', () => {
    const references = valuesOf('$ref', document) as string[]
    expect(references.length).toBeGreaterThan(0)
    expect(references.filter((reference) => typeof resolve(reference) !== 'object')).toEqual([])
    expect(valuesOf('$defs', document)).toEqual([])
  })

  test('says what a call needs, takes, gives and can answer', () => {
    const login = JSON.parse(JSON.stringify(document.paths['/api/user/login']))
    expect(login.post.security).toEqual([])
    const schema = login.post.requestBody.content['application/json'].schema
    expect(schema.required).toEqual(['accountId', 'username', 'password'])
    expect(login.post.responses['200'].content['application/json'].schema.properties.data.required).toEqual([
      'token',
      'info',
    ])
    expect(login.post.responses['401'].description).toBe('40007 LoginFailed')
  })

  test('a field with a default may be left out by the caller', () => {
    const created = JSON.parse(JSON.stringify(document.paths['/api/editor/create-tab']))
    const schema = created.post.requestBody.content['application/json'].schema
    expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(['tabName', 'sql', 'folderId']))
    expect(schema.required).toEqual(['tabName'])
  })
})

test('a call says under which name the client has it, and whether it changes something', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods)) as {
    operationId: string
    'x-function': string
    'x-changes': boolean
  }[]
  const of = (id: string) => operations.find(({ operationId }) => operationId === id)
  expect(of('query.result-window')).toMatchObject({ 'x-function': 'query.resultWindow', 'x-changes': false })
  expect(of('schema.drop-table')).toMatchObject({ 'x-function': 'schema.dropTable', 'x-changes': true })
  expect(new Set(operations.map((one) => one['x-function'])).size).toBe(allCalls().length)
})

test('only calls that exist are said to change nothing, and none whose name says that it does', () => {
  const paths = new Set<string>(allCalls().map(({ path }) => path))
  expect(readingPaths().filter((path) => !paths.has(path))).toEqual([])
  const changing =
    /\/(?:create|delete|drop|update|set(?!-up)|add|grant|revoke|rename|confirm|save|begin|finish)(?:-|$)/
  expect(readingPaths().filter((path) => changing.test(path))).toEqual([])
})

test('a call can answer its own codes, the common ones, and those of a login where it needs one', () => {
  expect(failsOf(contract.user.login)).toContain('LoginFailed')
  expect(failsOf(contract.user.login)).not.toContain('LoginRequired')
  for (const call of allCalls()) {
    const fails = failsOf(call)
    expect(new Set(fails).size).toBe(fails.length)
    expect(fails).toEqual(expect.arrayContaining(['BadInput', 'Internal', ...call.fails]))
    expect([call.path, fails.includes('LoginRequired')]).toEqual([call.path, call.needs !== 'nothing'])
    for (const name of fails) expect(CODES[name].http).toBeGreaterThanOrEqual(400)
  }
})
