import { randomUUID } from 'node:crypto'
import { CODES, LIMITS, snippetCalls, type Snippet } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { sharedApp, type TestUser } from '../../testing/start-app.ts'

const app = sharedApp()

const draft = (part: Partial<Snippet> = {}): Snippet => ({
  snippetId: randomUUID(),
  name: 'top',
  text: 'select * from ${table} limit ${count}',
  ...part,
})
const save = async (user: TestUser, snippet: Snippet) =>
  (await user.call(snippetCalls.saveSnippet, snippet)).code
const remove = async (user: TestUser, snippetId: string) =>
  (await user.call(snippetCalls.deleteSnippet, { snippetId })).code
const listed = async (user: TestUser) => (await user.call(snippetCalls.snippets, {})).data.list

test('a snippet is seen, changed and deleted by its user alone', async () => {
  const ann = await (await app()).user([])
  const others = [
    await (await app()).user([]),
    await (await app()).admin(),
    await (await app()).stranger(['account_admin']),
  ]
  const snippet = draft()
  expect(await save(ann, snippet)).toBe(CODES.Ok.code)
  for (const other of others) {
    expect(await listed(other)).toEqual([])
    expect(await save(other, { ...snippet, text: 'drop table boats' })).toBe(CODES.Conflict.code)
    expect(await remove(other, snippet.snippetId)).toBe(CODES.NotFound.code)
  }
  expect(await listed(ann)).toEqual([snippet])
})

test('a snippet is saved again under its id, also after it was deleted', async () => {
  const ann = await (await app()).user([])
  const snippet = draft()
  await save(ann, snippet)
  const renamed = { ...snippet, name: 'first_rows', text: 'select 1' }
  expect(await save(ann, renamed)).toBe(CODES.Ok.code)
  expect(await listed(ann)).toEqual([renamed])
  expect(await remove(ann, snippet.snippetId)).toBe(CODES.Ok.code)
  expect(await remove(ann, snippet.snippetId)).toBe(CODES.NotFound.code)
  expect(await save(ann, renamed)).toBe(CODES.Ok.code)
  expect(await listed(ann)).toEqual([renamed])
})

test('a name is one word, and given once whatever its letters', async () => {
  const ann = await (await app()).user([])
  for (const name of ['', ' ', 'two words', '1st', 'a-b', 'a'.repeat(LIMITS.snippetNameLength + 1)])
    expect(await save(ann, draft({ name }))).toBe(CODES.BadInput.code)
  for (const text of ['', ' \n', 'a\0b', 'a'.repeat(LIMITS.snippetLength + 1)])
    expect(await save(ann, draft({ text }))).toBe(CODES.BadInput.code)
  await save(ann, draft({ name: 'TOP' }))
  expect(await save(ann, draft({ name: 'top' }))).toBe(CODES.NameTaken.code)
})

test('two windows that save at once stay within the limit, and within one name', async () => {
  const ann = await (await app()).user([])
  for (let made = 1; made < LIMITS.snippets; made++) await save(ann, draft({ name: `s${made}` }))
  const last = await Promise.all(['a', 'b', 'c'].map((name) => save(ann, draft({ name }))))
  expect(last.filter((code) => code === CODES.Ok.code)).toHaveLength(1)
  expect(last.filter((code) => code === CODES.LimitReached.code)).toHaveLength(2)
  expect(await listed(ann)).toHaveLength(LIMITS.snippets)
  const [first] = await listed(ann)
  expect(await save(ann, { ...(first ?? draft()), text: 'select 2' })).toBe(CODES.Ok.code)
})
