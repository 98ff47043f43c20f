import { appendFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { FilePlace } from '../../schema/catalogs/file-places.ts'
import { landingFolder } from '../../../testing/pipe-kit.ts'
import { folderBytes, folderPages } from './folder-source.ts'
import { nameMatcher, type SourceFile } from './source-file.ts'

type FolderPlace = Extract<FilePlace, { kind: 'folder' }>

const NEVER = new AbortController().signal

const placeIn = (root: string, below = '', pattern = '*'): FolderPlace => ({
  kind: 'folder',
  root,
  below,
  pattern,
  prefix: `folder://landing/${below === '' ? '' : `${below}/`}`,
})

async function listed(place: FolderPlace): Promise<SourceFile[]> {
  const files: SourceFile[] = []
  for await (const page of folderPages(place, NEVER)) files.push(...page)
  return files
}

async function read(place: FolderPlace, file: SourceFile, meanwhile = async () => {}): Promise<number> {
  let bytes = 0
  for await (const chunk of folderBytes(place, file, NEVER)) {
    if (bytes === 0) await meanwhile()
    bytes += chunk.byteLength
  }
  return bytes
}

async function oneFile(content: string) {
  const landing = await landingFolder()
  const path = await landing.put('a.csv', content)
  const place = placeIn(landing.folder)
  const [file] = await listed(place)
  if (!file) throw new Error('It is not listed.')
  return { landing, path, place, file }
}

test('a file that grows, is replaced, becomes a link or is gone is not read as what was listed', async () => {
  const long = 'x'.repeat(1024 * 1024)
  const changes: Readonly<Record<string, (path: string, other: string) => Promise<void>>> = {
    'changed while it was read': (path) => appendFile(path, 'more'),
  }
  for (const [message, change] of Object.entries(changes)) {
    const { path, place, file, landing } = await oneFile(long)
    await expect(read(place, file, () => change(path, landing.at('other')))).rejects.toThrow(message)
  }
  const replaced = await oneFile(long)
  await writeFile(replaced.landing.at('b'), 'other')
  await rename(replaced.landing.at('b'), replaced.path)
  await expect(read(replaced.place, replaced.file)).rejects.toThrow('changed while it was read')
  const linked = await oneFile(long)
  await rm(linked.path)
  await symlink('/etc/hostname', linked.path)
  await expect(read(linked.place, linked.file)).rejects.toThrow('changed while it was read')
  const gone = await oneFile(long)
  await rm(gone.path)
  await expect(read(gone.place, gone.file)).rejects.toThrow('no longer there')
  const whole = await oneFile(long)
  expect(await read(whole.place, whole.file)).toBe(long.length)
})

test('no message names a folder of the machine', async () => {
  const { folder } = await landingFolder()
  await expect(listed(placeIn(folder, 'missing'))).rejects.toThrow(
    'The folder folder://landing/missing/ cannot be read: it is not there.',
  )
})

test('10,000 files are listed in pages', async () => {
  const landing = await landingFolder()
  for (let at = 0; at < 10_000; at += 500)
    await Promise.all(Array.from({ length: 500 }, (_, more) => landing.put(`${at + more}.csv`, '')))
  const sizes: number[] = []
  for await (const page of folderPages(placeIn(landing.folder), NEVER)) sizes.push(page.length)
  expect(sizes).toEqual(Array.from({ length: 10 }, () => 1_000))
})

test('patterns stand for names in a folder, and ** for those below too', () => {
  const fits = (pattern: string, ...keys: string[]) => keys.filter(nameMatcher(pattern))
  expect(fits('*.csv', 'a.csv', 'b/a.csv', 'a.csvx', '.a.csv', '_a.csv', 'axcsv')).toEqual(['a.csv'])
  expect(fits('**/*.csv', 'a.csv', 'b/a.csv', 'b/c/a.csv', 'b/_c/a.csv')).toEqual([
    'a.csv',
    'b/a.csv',
    'b/c/a.csv',
  ])
  expect(fits('day=*/?.csv', 'day=1/a.csv', 'day=1/ab.csv', 'day=1/b/a.csv')).toEqual(['day=1/a.csv'])
  expect(fits('a(b)+.csv', 'a(b)+.csv', 'abb.csv')).toEqual(['a(b)+.csv'])
})
