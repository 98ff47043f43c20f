import { expect, test } from 'vitest'
import { foldersFor } from './catalog-folders.ts'
import { readConfig } from './config.ts'

const foldersOf = (text?: string) =>
  readConfig(text === undefined ? {} : { BOATHOUSE_CATALOG_FOLDERS: text }, '/srv').catalogFolders

test('no folder is open unless it is said', () => {
  expect(foldersOf()).toEqual([])
})

test('folders are open to all accounts, or to one', () => {
  const folders = foldersOf('lake=/srv/lake, exports@A1=/srv/my exports/')
  expect(folders).toEqual([
    { name: 'lake', path: '/srv/lake', accountId: null },
    { name: 'exports', path: '/srv/my exports', accountId: 'A1' },
  ])
  expect(foldersFor(folders, 'A1').map(({ name }) => name)).toEqual(['lake', 'exports'])
  expect(foldersFor(folders, 'B2').map(({ name }) => name)).toEqual(['lake'])
  expect(foldersOf('data@A=/a,data@B=/b')).toHaveLength(2)
})

test.each([
  'lake',
  '/srv/lake',
  'lake=',
  'lake=relative',
  'lake=/',
  'lake=/srv/../etc',
  'lake=/srv//lake',
  'lake=/srv/*',
  'lake=/srv/[ab]',
  '1=/srv',
  'a b=/srv',
  'lake=/a,lake=/b',
  'lake=/a,lake@A=/b',
  'lake=/a,',
])('%s is refused at the start', (text) => {
  expect(() => foldersOf(text)).toThrow('BOATHOUSE_CATALOG_FOLDERS')
})
