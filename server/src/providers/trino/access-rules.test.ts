import { expect, test } from 'vitest'
import { renderRules, type UserAccess } from './access-rules.ts'

const rulesOf = (users: readonly UserAccess[]) =>
  JSON.parse(renderRules(users)) as Record<string, Record<string, unknown>[]>

const matches = (pattern: unknown, text: string): boolean =>
  new RegExp(`^(?:${String(pattern)})$`, 'u').test(text)

/** As a node does: the first rule that matches decides, and none is a refusal. */
function privileges(
  rules: ReturnType<typeof rulesOf>,
  user: string,
  [catalog, schema, table]: readonly string[],
) {
  const found = rules['tables']?.find(
    (rule) =>
      matches(rule['user'] ?? '.*', user) &&
      matches(rule['catalog'] ?? '.*', catalog ?? '') &&
      matches(rule['schema'] ?? '.*', schema ?? '') &&
      matches(rule['table'] ?? '.*', table ?? ''),
  )
  return found?.['privileges'] ?? []
}

test('nobody may do anything but the service, which alone speaks for users', () => {
  const rules = rulesOf([])
  expect(privileges(rules, 'alice', ['lake', 'a', 't'])).toEqual([])
  expect(privileges(rules, 'boathouse', ['lake', 'a', 't'])).toContain('OWNERSHIP')
  expect(rules['impersonation']).toEqual([{ original_user: 'boathouse', new_user: '.*', allow: true }])
  expect(rules['system_information']).toEqual([{ user: 'boathouse', allow: ['read', 'write'] }])
})

test('a narrow rule has what the wider ones give as well', () => {
  const rules = rulesOf([
    {
      users: ['alice'],
      objects: [
        { catalog: 'lake', schema: 'a', table: null, privileges: ['SELECT'] },
        { catalog: 'lake', schema: 'A', table: 'T', privileges: ['INSERT'] },
      ],
    },
  ])
  expect(privileges(rules, 'alice', ['lake', 'a', 't'])).toEqual(['SELECT', 'INSERT'])
  expect(privileges(rules, 'alice', ['lake', 'a', 'other'])).toEqual(['SELECT'])
  expect(privileges(rules, 'alice', ['lake', 'b', 't'])).toEqual([])
  expect(privileges(rules, 'malice', ['lake', 'a', 't'])).toEqual([])
})

test('names are texts, not expressions, and who is called as the service gets nothing by it', () => {
  const everything = { catalog: null, schema: null, table: null, privileges: ['SELECT'] as const }
  const rules = rulesOf([
    { users: ['.*', 'a|b', 'boathouse'], objects: [everything] },
    { users: ['boathouse'], objects: [{ ...everything, privileges: [] }] },
  ])
  expect(privileges(rules, 'somebody', ['lake', 'a', 't'])).toEqual([])
  expect(privileges(rules, 'a', ['lake', 'a', 't'])).toEqual([])
  expect(privileges(rules, '.*', ['lake', 'a', 't'])).toEqual(['SELECT'])
  expect(privileges(rules, 'a|b', ['lake', 'a', 't'])).toEqual(['SELECT'])
  expect(rules['tables']).toHaveLength(2)
})

test('who only reads has catalogs that only can be read, and lists of what others run are closed', () => {
  const objects = [{ catalog: 'lake', schema: 'a', table: 't', privileges: ['SELECT'] as const }]
  const { catalogs } = rulesOf([{ users: ['alice'], objects }])
  expect(catalogs).toEqual([
    { user: 'boathouse', allow: 'owner' },
    { catalog: 'system|jmx', allow: 'none' },
    { user: 'alice', catalog: 'lake', allow: 'read-only' },
  ])
})
