import type { ObjectDetail } from '@boathouse/contract/schema-objects'
import type { StubHandlers } from '../../testing/stub-server.ts'
import { renderApp, signedIn } from './render-app.tsx'

export const PLACE = '/local-1/ABC12345'
export const DATABASE = `${PLACE}/catalog/catalog-default_catalog-type-Internal/database-shop`
const column = (name: string, type: string, more: object = {}) => ({
  name,
  type,
  nullable: true,
  primaryKey: false,
  default: null,
  length: null,
  precision: null,
  scale: null,
  comment: '',
  ...more,
})

export const ORDERS: ObjectDetail = {
  name: 'orders',
  type: 'table',
  comment: 'All orders',
  columnCount: 2,
  fixed: '',
  size: { bytes: 3_000_000, exact: false },
  rows: { count: 1234, exact: true },
  actions: ['read', 'alter', 'drop'],
}

export const catalogCalls = (over: StubHandlers = {}): StubHandlers => ({
  'schema.catalogs': () => ({ list: [{ name: 'default_catalog', type: 'Internal' }], total: 1 }),
  'schema.databases': () => ({
    list: [
      { name: 'main', databaseId: 'main', tables: 0, permanent: true },
      { name: 'shop', databaseId: 'shop', tables: 2 },
    ],
    total: 2,
  }),
  'schema.tables': () => ({ list: [{ tableName: 'orders', type: 'table' }], total: 1 }),
  'schema.views': () => ({ list: [{ name: 'late', type: 'view' }], total: 1 }),
  'schema.describe': () => ORDERS,
  'schema.tableSizes': () => ({ list: [{ tableName: 'orders', bytes: 3_000_000, exact: false }] }),
  'schema.actions': () => ({ createDatabase: '', createTable: '', dropDatabase: '' }),
  'schema.columns': () => ({
    tableName: 'orders',
    type: 'table',
    total: 3,
    columns: [
      column('id', 'BIGINT', { nullable: false, primaryKey: true }),
      column('spot', 'DOUBLE[3]', { length: 3 }),
      column('price', 'DECIMAL(18,2)', { default: '0', precision: 18, scale: 2, comment: 'In USD' }),
    ],
  }),
  'schema.showCreateTable': () => ({ createStatement: 'CREATE TABLE orders(id BIGINT)' }),
  'schema.sample': () => ({
    columns: [{ name: 'id', type: 'BIGINT', family: 'number' }],
    rows: [['7'], [null]],
    truncated: false,
  }),
  'schema.dependencies': () => ({
    uses: [],
    usedBy: [{ database: 'shop', name: 'late', type: 'view' }],
    hidden: 1,
    broken: '',
  }),
  'lineage.facts': () => ({
    owner: 'ada',
    createdAt: '2026-01-02T00:00:00Z',
    changedAt: '2026-01-03T00:00:00Z',
    changedBy: 'grace',
    use: { ofEveryone: true, statements: 412, users: 6, mostBy: 'bi_dashboards' },
    together: [{ catalog: 'default_catalog', database: 'shop', name: 'items', type: 'table', times: 2 }],
    measures: [
      { at: '2026-01-02T00:00:00Z', rows: 10, bytes: 1_000 },
      { at: '2026-01-03T00:00:00Z', rows: 1_200, bytes: null },
    ],
  }),
  'lineage.graph': () => ({
    from: [
      {
        kind: 'load',
        name: 'orders.csv',
        catalog: '',
        database: '',
        id: 't1',
        through: { queryId: 'q1', user: 'grace', at: '2026-01-03T00:00:00Z' },
      },
    ],
    to: [
      { kind: 'view', name: 'late', catalog: 'default_catalog', database: 'shop', id: '', through: null },
      { kind: 'table', name: 'far', catalog: 'other', database: 'shop', id: '', through: null },
    ],
    hidden: 1,
    broken: '',
  }),
  'lineage.statements': () => ({ list: [], ofEveryone: false }),
  'schema.readers': () => ({
    list: [{ kind: 'role', name: 'db_admin', privileges: ['SELECT'], why: 'Built in: SELECT on ALL TABLES' }],
    total: 1,
  }),
  ...over,
})

/** A page of the catalog, over a server that has one database with a table and a view. */
export function openCatalog(address: string, over: StubHandlers = {}) {
  signedIn()
  return renderApp(address, catalogCalls(over))
}
