import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { analyse } from '@boathouse/sql'
import { expect, onTestFinished, test } from 'vitest'
import { tpchLikeStatements } from '../server/src/engines/duckdb/samples/tpch-like.ts'
import { done, session } from '../server/src/testing/view-kit.ts'
import { startApp } from '../server/src/testing/start-app.ts'

const GUIDE = fileURLToPath(new URL('../docs/guide', import.meta.url))
const SQL_BLOCK = /```sql\n([\s\S]*?)```/g
const MOST_STATEMENTS = 100

const pages = readdirSync(GUIDE).map((file) => ({
  file,
  blocks: [...readFileSync(join(GUIDE, file), 'utf8').matchAll(SQL_BLOCK)].map(([, sql = '']) =>
    analyse(sql, MOST_STATEMENTS).statements.map(({ text }) => text),
  ),
}))

/** What a page takes for granted, before its block of this number. */
const BEFORE: Readonly<Record<string, Readonly<Record<number, readonly string[]>>>> = {
  'pipes.md': { 0: ['CREATE TABLE IF NOT EXISTS main.orders (id BIGINT)'] },
  'users-and-roles.md': {
    0: ['CREATE ROLE analysts'],
    1: ['DROP ROLE analysts', 'CREATE ROLE readers'],
    2: [
      'CREATE ROLE analysts',
      'CREATE TABLE IF NOT EXISTS main.orders (id BIGINT)',
      "CREATE WAREHOUSE nightly SIZE = 'X-Small', AUTO_SUSPEND = 10, AUTO_RESUME = true",
    ],
  },
}

test('every statement of the guide runs as it is written', async () => {
  // The folder that the page about pipes watches.
  const landing = await mkdtemp(join(tmpdir(), 'boathouse-guide-'))
  onTestFinished(() => rm(landing, { recursive: true, force: true }))
  await mkdir(join(landing, 'orders'))
  const app = await startApp({ BOATHOUSE_CATALOG_FOLDERS: `landing=${landing}` }, { engine: 'embedded' })
  const run = await session(await app.admin())
  await done(run, 'CREATE DATABASE sample')
  await done(run, ...tpchLikeStatements({ database: 'sample', scale: 0.001 }).slice(1))
  const statements = pages.flatMap(({ file, blocks }) =>
    blocks.flatMap((block, at) => [...(BEFORE[file]?.[at] ?? []), ...block]),
  )
  expect(statements.length).toBeGreaterThan(40)
  for (const sql of statements) await done(run, sql)
})

test('every page of the guide that it links to exists, and every heading', () => {
  const text = (file: string) => readFileSync(join(GUIDE, file), 'utf8')
  const anchors = (file: string) =>
    [...text(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} -]/gu, '')
        .replaceAll(' ', '-'),
    )
  const broken = pages.flatMap(({ file }) =>
    [...text(file).matchAll(/\]\(([\w-]+\.md)?(?:#([\w-]+))?\)/g)].flatMap(([link, page = file, heading]) => {
      const isThere = pages.some((one) => one.file === page)
      return isThere && (!heading || anchors(page).includes(heading)) ? [] : [`${file}: ${link}`]
    }),
  )
  expect(broken).toEqual([])
})
