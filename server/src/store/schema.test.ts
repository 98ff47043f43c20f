import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { freshStore } from '../testing/database.ts'
import { generateSchema, regenerateCommand } from './schema-generator.ts'

const file = fileURLToPath(new URL('schema.ts', import.meta.url))
const store = await freshStore()

test('the committed schema.ts is what the migrated database really looks like', async () => {
  const generated = await generateSchema(store.pool)
  if (process.env.UPDATE_SCHEMA) writeFileSync(file, generated)
  expect(readFileSync(file, 'utf8'), `schema.ts is stale, run: ${regenerateCommand}`).toBe(generated)
})
