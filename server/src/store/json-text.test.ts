import { expect, test } from 'vitest'
import { freshStore } from '../testing/leased-store.ts'
import { jsonText } from './json-text.ts'

const store = await freshStore()

test.each([
  ['half a character', { 'a\ud800': ['\udfffb', 'c\udbff'] }, { 'a\ufffd': ['\ufffdb', 'c\ufffd'] }],
  ['U+0000', ['a\0b'], ['a\ufffdb']],
  ['whole characters', ['😀', 'é', '\u0001'], ['😀', 'é', '\u0001']],
  ['the text of an escape', ['\\ud800', '\\u0000', '\\\\ud800'], ['\\ud800', '\\u0000', '\\\\ud800']],
  ['nothing', null, null],
])('%s is stored as JSON', async (what, value, stored) => {
  await store.db
    .insertInto('instance_facts')
    .values({ key: what, value: jsonText(value) })
    .execute()
  const row = store.db.selectFrom('instance_facts').select('value').where('key', '=', what)
  expect((await row.executeTakeFirstOrThrow()).value).toEqual(stored)
})
