import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type ScanLimits, SCAN_LIMITS } from './layout.ts'
import { scanFolder, trueFolder } from './scan.ts'

const stop = new AbortController().signal

/** Files by their paths in a folder of its own. */
async function folderWith(...files: readonly string[]): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'boathouse-folder-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  for (const file of files) {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), 'a\n1\n')
  }
  return root
}

const scan = (root: string, limits: Partial<ScanLimits> = {}) =>
  scanFolder(root, { stop, limits: { ...SCAN_LIMITS, ...limits } })

test('a link is not followed, neither to a file nor to a folder, at any depth', async () => {
  const outside = await folderWith('secret/t/secret.csv')
  const root = await folderWith('sales/orders/a.csv', 'sales/parts/day=1/a.csv')
  await symlink(join(outside, 'secret'), join(root, 'secret'))
  await symlink(join(outside, 'secret/t'), join(root, 'sales/linked'))
  await symlink(join(outside, 'secret/t/secret.csv'), join(root, 'sales/orders/secret.csv'))
  await symlink(join(outside, 'secret/t'), join(root, 'sales/parts/day=2'))
  const { databases, tables, ignored } = await scan(root)
  expect(databases).toEqual(['sales'])
  expect(tables.flatMap((table) => ('files' in table ? table.files : []))).toEqual([
    join(root, 'sales/orders/a.csv'),
    join(root, 'sales/parts/day=1/a.csv'),
  ])
  expect(ignored.toSorted()).toEqual([
    'sales/linked is a link, and links are not followed',
    'sales/orders/secret.csv is a link, and links are not followed',
    'sales/parts/day=2 is a link, and links are not followed',
    'secret is a link, and links are not followed',
  ])
})

test.each([
  ['..'],
  ['.'],
  ['a', '..', '..'],
  ['/etc'],
  ['a/../..'],
  [''],
  ['a*'],
  ['a?'],
  ['[ab]'],
  ['a\\b'],
  ['{a,b}'],
])('the path %j leads nowhere', async (...below) => {
  const root = await folderWith('a/b/t/x.csv')
  await expect(trueFolder({ root, below })).rejects.toThrow(/leads out of it|is not there/)
})

test('no link leads to the folder itself, but that which was opened may be one', async () => {
  const root = await folderWith('a/b/t/x.csv')
  const other = await folderWith()
  await symlink(root, join(other, 'lake'))
  await expect(trueFolder({ root: other, below: ['lake'] })).rejects.toThrow('links are not followed')
  expect(await trueFolder({ root: join(other, 'lake'), below: ['a'] })).toBe(join(root, 'a'))
  await expect(trueFolder({ root, below: ['gone'] })).rejects.toThrow('it is not there')
  await expect(trueFolder({ root, below: ['a', 'b', 't', 'x.csv'] })).rejects.toThrow('it is no folder')
})

test('names that DuckDB would take for a pattern, and those of the service, are not shown', async () => {
  const names = [
    '*',
    'a?',
    '[ab]',
    '{a}',
    'back\\slash',
    'quo"te',
    'new\nline',
    'boathouse_internal',
    'pg_catalog',
  ]
  const root = await folderWith(
    ...names.map((name) => `${name}/t/x.csv`),
    'db/*.d/x.csv',
    'db/t/*.csv',
    'db/t/good.csv',
    'db/.hidden/x.csv',
    'db/t/_SUCCESS',
  )
  const { databases, tables, ignored } = await scan(root)
  expect(databases).toEqual(['db'])
  expect(tables).toMatchObject([{ database: 'db', table: 't', files: [join(root, 'db/t/good.csv')] }])
  expect(ignored).toHaveLength(names.length + 2)
})

test('partitions, formats and what makes no table', async () => {
  const root = await folderWith(
    'db/p/year=2026/month=1/a.parquet',
    'db/p/year=2026/month=2/b.pq',
    'db/c/a.csv.gz',
    'db/c/b.tsv',
    'db/j/a.ndjson',
    'db/j/b.json.zst',
    'db/mixed/a.csv',
    'db/mixed/b.parquet',
    'db/deep/a.csv',
    'db/deep/x=1/b.csv',
    'db/odd/readme.txt',
    'db/odd/sub/a.csv',
    'file-at-the-top.csv',
    'db/file-beside-tables.csv',
  )
  const { tables } = await scan(root)
  expect(tables).toMatchObject([
    { table: 'c', format: 'csv', isPartitioned: false },
    { table: 'deep', problem: 'its files lie at different depths of partitions' },
    { table: 'j', format: 'json', isPartitioned: false },
    { table: 'mixed', problem: 'it has files of several formats: csv, parquet' },
    { table: 'odd', problem: 'it has no Parquet, CSV or JSON files' },
    { table: 'p', format: 'parquet', isPartitioned: true },
  ])
})

test('names that differ in letter case alone are shown once', async () => {
  const root = await folderWith('db/T/a.csv', 'db/t/a.csv')
  const { tables, ignored } = await scan(root)
  expect(tables).toMatchObject([{ table: 'T' }])
  expect(ignored).toEqual(['db/t differs from another only in letter case'])
})

test.each([
  [{ tables: 1 }, 'more than 1 folders'],
  [{ files: 1 }, 'more than 1 files'],
  [{ partitions: 0 }, 'more than 0 levels of partitions'],
])('reports what is too much: %j', async (limits, message) => {
  const root = await folderWith('db/a/x=1/a.csv', 'db/b/x=1/b.csv')
  await expect(scan(root, limits)).rejects.toThrow(message)
})

test('a file that has changed gives another stamp', async () => {
  const root = await folderWith('db/t/a.csv')
  const before = await scan(root)
  expect(await scan(root)).toEqual(before)
  await writeFile(join(root, 'db/t/a.csv'), 'a,b\n1,2\n')
  expect(await scan(root)).not.toEqual(before)
})

test('one that is stopped says so', async () => {
  const root = await folderWith('db/t/a.csv')
  await expect(scanFolder(root, { stop: AbortSignal.abort() })).rejects.toThrow('does not answer in time')
})
