import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { freshStore } from '../testing/leased-store.ts'
import { generateSchema, regenerateCommand } from './schema-generator.ts'

const file = fileURLToPath(new URL('schema.ts', import.meta.url))
const store = await freshStore()

test('the committed schema.ts is what the migrated database really looks like', async () => {
  const generated = await generateSchema(store.pool)
  if (process.env.UPDATE_SCHEMA) writeFileSync(file, generated)
  const stale = readFileSync(file, 'utf8') !== generated
  expect(stale && `schema.ts is stale, run: ${regenerateCommand}`).toBe(false)
})

test('every foreign key has an index that begins with its columns, so that deleting never scans a table', async () => {
  const { rows } = await store.pool.query(`
    select c.conrelid::regclass::text as table, c.conname as name
      from pg_constraint c
     where c.contype = 'f' and c.connamespace = 'boathouse'::regnamespace
       and not exists (
         select from pg_index i
          where i.indrelid = c.conrelid and i.indpred is null
            and (i.indkey::int2[])[0:array_length(c.conkey, 1) - 1] = c.conkey)`)
  expect(rows).toEqual([])
})

test('a whole number exceeds 2^53 is refused rather than rounded, and other values arrive exactly', async () => {
  const { rows } = await store.pool.query(`
    select 9007199254740991::int8 as whole, 0.10::numeric(4,2) as money,
           timestamptz '2026-01-02 03:04:05.678+00' as moment, date '2026-01-02' as day`)
  expect(rows).toEqual([
    {
      whole: 9007199254740991,
      money: '0.10',
      moment: new Date('2026-01-02T03:04:05.678Z'),
      day: '2026-01-02',
    },
  ])
  await expect(store.pool.query('select 9007199254740992::int8')).rejects.toThrow('exceeds 2^53')
})

test('connections carry the name, the search path and the time limit of Boathouse', async () => {
  const { rows } = await store.pool.query(`
    select current_setting('application_name') as name, current_setting('search_path') as path,
           current_setting('statement_timeout') as limit`)
  expect(rows).toEqual([{ name: 'boathouse', path: 'boathouse', limit: '30s' }])
})
