import '../../../i18n/reference.ts'
import { allCalls, API_PREFIX } from '@boathouse/contract'
import { openApiDocument } from '@boathouse/contract/openapi'
import { describe, expect, test } from 'vitest'
import { checkBody, refusedField } from './check-body.ts'
import { type OpenApi, readDocument, searchCalls } from './document.ts'
import { curlExample, exampleOf, prettyJson, typescriptExample } from './examples.ts'
import { fieldRows } from './fields.ts'

const said = {
  '/warehouse/list': {
    description: 'Those that you may use.',
    input: {},
    output: { 'warehouses.name': 'Its name.' },
  },
}
const reference = readDocument(JSON.parse(JSON.stringify(openApiDocument('1.0.0', said))) as OpenApi)
const { schemas } = reference
const callOf = (id: string) => {
  const found = reference.calls.find((call) => call.id === id)
  if (!found) throw new Error(`${id} is not in the reference.`)
  return found
}

describe('the reference', () => {
  test('has every call of the contract once, in a group with a line about it', () => {
    expect(reference.calls.map(({ path }) => path).sort()).toEqual(
      allCalls()
        .map(({ path }) => API_PREFIX + path)
        .sort(),
    )
    expect(reference.groups.flatMap(({ calls }) => calls)).toHaveLength(reference.calls.length)
    expect(
      reference.groups.filter(({ description, calls }) => description === '' || calls.length === 0),
    ).toEqual([])
  })

  test('says who may call, what it fails with, and whether it changes something', () => {
    expect(callOf('key/create')).toMatchObject({ changes: true, refusesKeys: true, needs: 'login' })
    expect(callOf('user/login')).toMatchObject({ needs: 'nothing' })
    expect(callOf('user/login').failures).toContainEqual({ status: 401, code: 40007, name: 'LoginFailed' })
    expect(callOf('warehouse/list')).toMatchObject({ changes: false, description: 'Those that you may use.' })
  })

  test('finds calls by every word of path and text', () => {
    const found = (search: string) =>
      searchCalls(reference.groups, search).flatMap(({ calls }) => calls.map(({ id }) => id))
    expect(found('warehouse suspend')).toContain('warehouse/suspend')
    expect(found('RESULTWINDOW')).toEqual(['query/result-window'])
    expect(found('nothing like this')).toEqual([])
  })
})

describe('fields', () => {
  test('of every call have a type, and no name twice', () => {
    for (const { id, input, output } of reference.calls)
      for (const schema of [input ?? {}, output]) {
        const rows = fieldRows(schema, schemas)
        expect([id, rows.filter(({ type }) => type === '')]).toEqual([id, []])
        expect([id, new Set(rows.map(({ name }) => name)).size]).toEqual([id, rows.length])
      }
  })

  test('are named through lists, with rules, defaults and descriptions', () => {
    const output = fieldRows(callOf('warehouse/list').output, schemas)
    expect(output.find(({ name }) => name === 'warehouses[].name')).toMatchObject({
      type: 'string',
      description: 'Its name.',
      isRequired: true,
    })
    const input = fieldRows(callOf('query/history').input ?? {}, schemas)
    expect(input.find(({ name }) => name === 'limit')).toMatchObject({
      isRequired: false,
      rules: ['value 1–200', 'default 50'],
    })
  })
})

describe('an example', () => {
  test('of every call fits its own schema, but for texts that a pattern rules', () => {
    for (const { id, input } of reference.calls) {
      if (!input) continue
      const { problems } = checkBody(prettyJson(exampleOf(input, schemas)), input, schemas)
      const others = problems.filter(({ message }) => !message.startsWith('Use a value that matches'))
      expect([id, others]).toEqual([id, []])
    }
  })

  test('for curl has a key, or a signature where keys are not taken', () => {
    expect(curlExample(callOf('warehouse/list'), 'https://example.com', {})).toBe(
      `curl https://example.com/api/warehouse/list \\\n  -H "Authorization: Bearer $BOATHOUSE_KEY" \\\n  -H 'Content-Type: application/json' -d '{}'`,
    )
    const signed = curlExample(callOf('key/create'), 'https://example.com', { name: "Ada's" })
    expect(signed).toContain('-hmac "$TOKEN"')
    expect(signed).toContain(String.raw`BODY='{"name":"Ada'\''s"}'`)
    expect(curlExample(callOf('region/list'), 'https://example.com', {})).not.toContain('-d ')
  })

  test('for TypeScript calls the function of the client', () => {
    expect(typescriptExample(callOf('query/result-window'), 'https://example.com', { offset: 0 })).toContain(
      'boathouse.api.query.resultWindow({\n  offset: 0\n})',
    )
    expect(typescriptExample(callOf('warehouse/list'), 'https://example.com', {})).toContain(
      '.warehouse.list()',
    )
  })
})

describe('a body', () => {
  const { input } = callOf('query/result-window')
  const check = (text: string) => checkBody(text, input ?? {}, schemas).problems

  test('is held against the call: each problem has its field and its line', () => {
    const text = '{\n  "queryId": "x",\n  "offset": -1,\n  "limit": "ten",\n  "more": 1\n}'
    expect(check(text).map(({ path, line }) => `${line} ${path}`)).toEqual(
      expect.arrayContaining(['3 offset', '4 limit', '5 more']),
    )
    expect(check('{}')).toContainEqual({ path: 'offset', message: 'This field is required.', line: 1 })
    expect(check('[]')[0]?.message).toBe('Use the type object, not array.')
  })

  test('that is no JSON says where it breaks off', () => {
    const [problem] = check('{\n  "offset": 1,\n}')
    expect(problem?.message).toContain('This is not JSON')
    expect(problem?.line).toBe(3)
  })

  test('of several forms names what the nearest one lacks, and lists name their place', () => {
    const arranged = callOf('result/arranged-rows')
    const text = prettyJson({
      queryId: '00000000-0000-4000-8000-000000000000',
      offset: 0,
      limit: 10,
      sort: { column: 0 },
      filters: [{ column: 'a', written: '' }],
    })
    const paths = checkBody(text, arranged.input ?? {}, schemas).problems.map(({ path }) => path)
    expect(paths).toEqual(['sort.descending', 'filters[0].column'])
  })

  test('that the server refuses is refused at the field that it names', () => {
    expect(
      refusedField('filters.0.column: Enter 0 or more', '{\n "filters": [{\n "column": -1 }] }'),
    ).toEqual({
      path: 'filters[0].column',
      message: 'Enter 0 or more',
      line: 3,
    })
    expect(refusedField('This account does not exist.', '{}')).toBeNull()
  })
})
