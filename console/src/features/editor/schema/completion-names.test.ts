import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { stubServer } from '../../../testing/stub-server.ts'
import type { EditorStore } from '../tabs/editor-store.ts'
import { completionNames } from './completion-names.ts'

const COLUMN = {
  name: 'amount',
  type: 'BIGINT',
  nullable: true,
  primaryKey: false,
  default: null,
  length: null,
  precision: null,
  scale: null,
  comment: '',
}

test('tables, views and materialized views are offered, and the columns of each are loaded by its kind', async () => {
  const server = stubServer({
    'schema.tables': () => ({ list: [], names: ['orders'], total: 1 }),
    'schema.views': () => ({ list: [], names: ['open_orders'], total: 1 }),
    'schema.materializedViews': () => ({
      list: [
        {
          mvName: 'Sums',
          type: 'materialized_view',
          trigger: 'manual',
          paused: false,
          lastRefreshState: null,
          lastRefreshAt: null,
        },
      ],
      total: 1,
    }),
    'schema.columns': () => ({ tableName: 'x', type: 'table', columns: [COLUMN], total: 1 }),
  })
  const names = completionNames(new QueryClient(), {} as EditorStore)
  expect((await names.tables('c', 'd')).map(({ name }) => name)).toEqual(['orders', 'open_orders', 'Sums'])
  for (const name of ['orders', 'open_orders', 'sums'])
    expect(await names.columns('c', 'd', name)).toEqual([{ name: 'amount', detail: 'BIGINT' }])
  expect(server.callsOf('schema.columns')).toMatchObject([
    { tableName: 'orders' },
    { name: 'open_orders' },
    { mvName: 'sums' },
  ])
})

test('columns of a table that does not exist are not loaded at every key, unless there are more than are listed', async () => {
  let total = 1
  const server = stubServer({
    'schema.tables': () => ({ list: [], names: ['orders'], total }),
    'schema.views': () => ({ list: [], names: [], total: 0 }),
    'schema.materializedViews': () => ({ list: [], total: 0 }),
    'schema.columns': () => ({ tableName: 'x', type: 'table', columns: [COLUMN], total: 1 }),
  })
  const names = completionNames(new QueryClient(), {} as EditorStore)
  for (const name of ['or', 'ord', 'orde']) expect(await names.columns('c', 'd', name)).toEqual([])
  expect(server.callsOf('schema.columns')).toEqual([])
  expect(await names.columns('c', 'd', 'ORDERS')).toHaveLength(1)
  total = 1_000_000
  expect(await names.columns('c', 'larger', 'oars')).toHaveLength(1)
})
