import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
// Loaded beforehand: the console loads it when it is needed, and the first time takes long.
import './pages/catalog-routes.tsx'
import { refuse } from '../testing/stub-server.ts'
import { catalogPath, databaseOf, objectOf } from './catalog-path.ts'
import { parseCatalog } from './catalog-segment.ts'
import { catalogCalls, DATABASE, openCatalog, PLACE } from './testing/catalog-calls.ts'
import { addressOf } from './testing/render-app.tsx'

const cells = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .map((row) => [...row.querySelectorAll('th, td')].map(({ textContent }) => textContent))

test.each([
  'orders',
  'a-b',
  'каталог 数据',
  `it's "quoted"`,
  'a.b/c\\d',
  'x-type-y',
  '100% ? # &',
  'table-view-mv-',
])('the name %s comes back from addresses, in every place', (name) => {
  for (const type of ['table', 'view', 'materialized_view'] as const) {
    const place = { region: 'local-1', aid: 'ABC12345' }
    const path = catalogPath(
      place,
      { catalog: name, catalogType: 'External' },
      { database: name, object: { type, name } },
    )
    const [, , , page, ...segments] = path.split('/')
    const [catalog = '', database = '', object = ''] = segments.map(decodeURIComponent)
    expect([page, segments.length]).toEqual(['catalog', 3])
    expect(parseCatalog(catalog)).toEqual({ catalog: name, catalogType: 'External' })
    expect(databaseOf(database)).toBe(name)
    expect(objectOf(object)).toEqual({ type, name })
  }
})

test.each(['', 'table-', 'tables-x', 'mv', 'view-'])('"%s" names no object', (segment) => {
  expect(objectOf(segment)).toBeNull()
})

test('the list of catalogs shows name and type [CATALOG-02]', async () => {
  openCatalog(`${PLACE}/catalog`)
  const table = await screen.findByRole('table', { name: 'Catalogs' })
  expect(cells(table)).toEqual([
    ['Name', 'Type', 'Metastore', 'Description', 'Actions'],
    ['default_catalog', 'Internal', '–', '–', ''],
  ])
})

test('a database page lists tables and views, each by the service [SHELL-13]', async () => {
  const app = openCatalog(DATABASE)
  expect(await screen.findByRole('link', { name: 'orders' })).toBeTruthy()
  await app.user.click(screen.getByRole('radio', { name: /Views/ }))
  const link = await screen.findByRole('link', { name: 'late' })
  expect(link.getAttribute('href')).toBe(`${DATABASE}/view-late`)
  await app.user.type(screen.getByRole('searchbox', { name: 'Search by name' }), 'la')
  await waitFor(() =>
    expect(app.server.callsOf('schema.views').at(-1)).toMatchObject({
      catalog: 'default_catalog',
      databaseName: 'shop',
      commonSearchParam: { search: 'la', offset: 0, limit: 50 },
    }),
  )
  expect(addressOf(app)).toBe(`${DATABASE}?tab=view&search=la`)
})

test('a table page shows its columns with all that is known of them [CATALOG-06, SHELL-14]', async () => {
  openCatalog(`${DATABASE}/table-orders`)
  const table = await screen.findByRole('table', { name: 'Columns' })
  expect(cells(table)).toEqual([
    ['Name', 'Type', 'Nullable', 'Primary key', 'Default', 'Length', 'Precision', 'Comment', 'Actions'],
    ['id', 'BIGINT', 'No', 'Primary', '–', '–', '–', '–', ''],
    ['spot', 'DOUBLE[3]', 'Yes', '–', '–', '3', '–', '–', ''],
    ['price', 'DECIMAL(18,2)', 'Yes', '–', '0', '–', '18, 2', 'In USD', ''],
  ])
  expect(screen.getByText('1.2k rows')).toBeTruthy()
  expect(document.title).toBe('orders · Boathouse')
})

test('its other tabs show a sample, the create statement, lineage, statements and who may read it [CATALOG-07]', async () => {
  const app = openCatalog(`${DATABASE}/table-orders`)
  const tab = async (name: string) => app.user.click(await screen.findByRole('tab', { name }))
  await tab('Create statement')
  expect(
    await screen.findByText(
      (_, element) =>
        element?.tagName === 'PRE' &&
        /^CREATE TABLE orders\s*\(\s*id BIGINT\s*\)$/.test(element.textContent ?? ''),
    ),
  ).toBeTruthy()
  expect(addressOf(app)).toContain('?tab=statement')
  await tab('Sample')
  expect(cells(await screen.findByRole('table', { name: 'Sample rows' }))).toEqual([['id'], ['7'], ['NULL']])
  await tab('Lineage')
  expect((await screen.findByRole('link', { name: 'shop.late' })).getAttribute('href')).toBe(
    `${DATABASE}/view-late`,
  )
  const from = screen.getByRole('region', { name: 'Comes from' })
  expect(within(from).getByRole('link', { name: 'orders.csv' }).getAttribute('href')).toContain('q1')
  // The page does not know of which type another catalog is.
  expect(screen.getByText('other.shop.far').closest('a')).toBeNull()
  expect(screen.getByText('1 more that you do not have access to')).toBeTruthy()
  await tab('Statements')
  expect(await screen.findByText(/None of your statements of the last 30 days/)).toBeTruthy()
  await tab('Access')
  expect(await screen.findByText('Built in: SELECT on ALL TABLES')).toBeTruthy()
})

test('what is known of a table is at its side: whose it is, how it changed, who uses it, how it grew', async () => {
  openCatalog(`${DATABASE}/table-orders`)
  const side = within(await screen.findByRole('complementary', { name: 'About orders' }))
  expect(await side.findByText('ada')).toBeTruthy()
  expect(side.getByText('412')).toBeTruthy()
  expect(side.getByText('bi_dashboards')).toBeTruthy()
  expect(side.getByRole('link', { name: 'shop.items' })).toBeTruthy()
  expect(side.getByRole('img', { name: 'Rows over 2 counts, 1.2k now' })).toBeTruthy()
})

test('facts that cannot be loaded say so at the side; a user sees that they are their own; the rest is there', async () => {
  let isDown = true
  const app = openCatalog(`${DATABASE}/table-orders`, {
    'lineage.facts': () =>
      isDown
        ? refuse('Unavailable', 'Not now.')
        : {
            owner: null,
            createdAt: null,
            changedAt: null,
            changedBy: null,
            use: { ofEveryone: false, statements: 1, users: 1, mostBy: 'ada' },
            together: [],
            measures: [],
          },
  })
  expect(await screen.findByText('Not now.')).toBeTruthy()
  expect(await screen.findByRole('table', { name: 'Columns' })).toBeTruthy()
  isDown = false
  await app.user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText(/You see your own/)).toBeTruthy()
  expect(screen.getAllByText('Not recorded')).toHaveLength(3)
  expect(screen.getByText(/Not counted yet/)).toBeTruthy()
  expect(screen.queryByText('Most by')).toBeNull()
})

test('a view is loaded by its name [CATALOG-32, SHELL-16]', async () => {
  const app = openCatalog(`${DATABASE}/view-late%2Fone`)
  await screen.findByRole('table', { name: 'Columns' })
  expect(app.server.callsOf('schema.describe')[0]).toMatchObject({ databaseName: 'shop', name: 'late/one' })
})

test('the size of a table on the disk is shown on its page and in the list, as an estimate', async () => {
  const app = openCatalog(DATABASE)
  expect(await screen.findByText('3 MB')).toBeTruthy()
  expect(screen.getByRole('columnheader', { name: 'Estimated size' })).toBeTruthy()
  expect(app.server.callsOf('schema.tableSizes')).toEqual([
    { catalog: 'default_catalog', databaseName: 'shop', tableNames: ['orders'] },
  ])
  await app.user.click(screen.getByRole('link', { name: 'orders' }))
  expect(await screen.findByText('about 3 MB, estimated')).toBeTruthy()
})

test('an internal catalog is renamed from the list; what would stop working is agreed to first', async () => {
  const named = 'default_catalog.main.v may name the catalog archive, and would stop working.'
  const app = openCatalog(`${PLACE}/catalog`, {
    'schema.catalogs': () => ({
      list: [
        { name: 'archive', type: 'Internal' },
        { name: 'default_catalog', type: 'Internal' },
      ],
      total: 2,
    }),
    'schema.renameCatalog': ({ evenIfUsed }) => (evenIfUsed ? {} : refuse('Conflict', named)),
  })
  await app.user.click(await screen.findByRole('button', { name: 'Actions of default_catalog' }))
  expect((await screen.findByRole('menuitem', { name: 'Rename' })).getAttribute('aria-disabled')).toBe('true')
  await app.user.keyboard('{Escape}')
  await app.user.click(screen.getByRole('button', { name: 'Actions of archive' }))
  await app.user.click(await screen.findByRole('menuitem', { name: 'Rename' }))
  const dialog = within(await screen.findByRole('dialog'))
  const name = dialog.getByLabelText('New name')
  const rename = () => app.user.click(dialog.getByRole('button', { name: 'Rename' }))
  await app.user.clear(name)
  await app.user.type(name, '9')
  await rename()
  expect(await dialog.findByText(/Start with a letter/)).toBeTruthy()
  await app.user.clear(name)
  await app.user.type(name, 'history')
  await rename()
  expect((await dialog.findByRole('alert')).textContent).toBe(named)
  await app.user.click(dialog.getByRole('switch', { name: 'Rename even if views that use it stop working' }))
  await rename()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(app.server.callsOf('schema.renameCatalog')).toEqual([
    { catalog: 'archive', newName: 'history', evenIfUsed: false },
    { catalog: 'archive', newName: 'history', evenIfUsed: true },
  ])
})

test('a drop names what uses it and has the name typed [CATALOG-11]', async () => {
  const app = openCatalog(`${DATABASE}/table-orders`, { 'schema.dropTable': () => ({}) })
  await app.user.click(await screen.findByRole('button', { name: 'Actions of orders' }))
  await app.user.click(await screen.findByRole('menuitem', { name: 'Drop' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(await dialog.findByText('shop.late')).toBeTruthy()
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Drop table' }).disabled).toBe(true)
  await app.user.type(dialog.getByLabelText('Type orders to confirm'), 'Orders')
  await app.user.click(dialog.getByRole('button', { name: 'Drop table' }))
  expect(await dialog.findByText('Type the name exactly as shown')).toBeTruthy()
  expect(app.server.callsOf('schema.dropTable')).toEqual([])
  await app.user.clear(dialog.getByLabelText('Type orders to confirm'))
  await app.user.type(dialog.getByLabelText('Type orders to confirm'), 'orders')
  await app.user.click(dialog.getByRole('button', { name: 'Drop table' }))
  await waitFor(() => expect(addressOf(app)).toBe(DATABASE))
  expect(app.server.callsOf('schema.dropTable')).toMatchObject([{ tableName: 'orders', evenIfUsed: true }])
})

test.each([
  ['schema.catalogs', `${PLACE}/catalog?search=l`],
  ['schema.databases', `${PLACE}/catalog/catalog-default_catalog-type-Internal`],
  ['schema.tables', DATABASE],
] as const)('when %s fails, the page says so, and retries on request [CATALOG-26]', async (call, address) => {
  let isDown = true
  const answer = catalogCalls()[call] as never as (input: unknown) => never
  const app = openCatalog(address, {
    [call]: (input: unknown) =>
      isDown ? refuse('QuotaExceeded', 'The engine has no memory left.') : answer(input),
  })
  const alert = within(await screen.findByRole('alert'))
  expect(alert.getByText('The engine has no memory left.')).toBeTruthy()
  expect(alert.getByText(/^Try again in a moment/)).toBeTruthy()
  isDown = false
  await app.user.click(alert.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByRole('table')).toBeTruthy()
})

test('when the list of catalogs fails, the error page speaks of the engine, and Reload asks again [SHELL-88, CATALOG-26]', async () => {
  let isDown = true
  const app = openCatalog(`${PLACE}/catalog`, {
    'schema.catalogs': (input) =>
      isDown
        ? refuse('Unavailable', 'It does not start.')
        : (catalogCalls()['schema.catalogs']?.(input) as never),
  })
  expect(await screen.findByRole('heading', { name: 'The query engine did not answer' })).toBeTruthy()
  expect(
    screen.getByText('The catalogs could not be read from the query engine: It does not start.'),
  ).toBeTruthy()
  expect(screen.getByText(/^Try again in a moment/)).toBeTruthy()
  expect(within(screen.getByRole('region', { name: 'Notifications' })).queryByRole('status')).toBeNull()
  isDown = false
  await app.user.click(screen.getByRole('button', { name: 'Reload' }))
  expect(await screen.findByRole('table')).toBeTruthy()
})

test('when catalogs take too long, the error page says timeout, not the engine [SHELL-87]', async () => {
  openCatalog(`${PLACE}/catalog`, {
    'schema.catalogs': () => refuse('Unavailable', 'read timeout of the engine'),
  })
  expect(await screen.findByRole('heading', { name: 'timeout' })).toBeTruthy()
  expect(screen.queryByText(/query engine/)).toBeNull()
})

test('a table is created by a form, which shows faults in place', async () => {
  const app = openCatalog(DATABASE, { 'schema.createTable': () => ({}) })
  await app.user.click(await screen.findByRole('button', { name: 'Create table' }))
  const dialog = within(await screen.findByRole('dialog'))
  await app.user.click(dialog.getByRole('button', { name: 'Create table' }))
  expect((await dialog.findAllByText('Enter the name')).length).toBe(2)
  await app.user.type(dialog.getByLabelText('Name'), 'oars')
  await app.user.type(dialog.getByLabelText('Name of column 1'), 'id')
  await app.user.click(dialog.getByLabelText('Primary key of column 1'))
  await app.user.click(dialog.getByRole('button', { name: 'Create table' }))
  await waitFor(() => expect(addressOf(app)).toBe(`${DATABASE}/table-oars`))
  expect(app.server.callsOf('schema.createTable')).toMatchObject([
    { tableName: 'oars', columns: [{ name: 'id', type: 'VARCHAR', primaryKey: true }] },
  ])
})

test('the breadcrumb leads from the catalog over the database to the table [SHELL-69]', async () => {
  const app = openCatalog(`${DATABASE}/table-orders`)
  await screen.findByRole('heading', { name: 'orders', level: 1 })
  const crumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
  await waitFor(() =>
    expect(crumbs.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Demo',
      'All Catalogs',
      'default_catalog',
      'shop',
      'orders',
    ]),
  )
  expect(crumbs.getByRole('link', { name: 'shop' }).getAttribute('href')).toBe(DATABASE)
  // Where there is no room, the levels in the middle are in a menu.
  await app.user.click(crumbs.getByRole('button', { name: 'Levels between' }))
  const levels = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)
  expect(levels).toEqual(['All Catalogs', 'default_catalog'])
  await app.user.keyboard('{Escape}')
  expect(document.title).toBe('orders · Boathouse')
})

test('a materialized view has an address, and is loaded by its own name [SHELL-69]', async () => {
  const app = openCatalog(`${DATABASE}/mv-late`, {
    'schema.describe': () => ({
      name: 'late',
      type: 'materialized_view',
      comment: '',
      columnCount: 1,
      fixed: '',
      size: null,
      rows: null,
      actions: ['read'],
    }),
  })
  expect(await screen.findByRole('heading', { name: 'late', level: 1 })).toBeTruthy()
  expect(app.server.callsOf('schema.describe')[0]).toMatchObject({ databaseName: 'shop', mvName: 'late' })
  const crumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
  await waitFor(() => expect(crumbs.getAllByRole('listitem').at(-1)?.textContent).toBe('late'))
})

const SHARED = ['Name', 'Description', 'S3 region']

test.each([
  ['Hive metastore', 'Access key', ['Hive host', 'Access key ID', 'Secret key']],
  ['Tabular (Iceberg REST)', 'Access key', ['Tabular URL', 'Tabular warehouse', 'OAuth credential']],
  ['Tabular (Iceberg REST)', 'Provided by the server', ['OAuth token URL', 'OAuth scope', 'Endpoint']],
  ['Databricks Unity Catalog', 'Access key', ['Databricks host', 'Databricks token', 'Unity catalog name']],
  ['AWS Glue', 'IAM role', ['Endpoint', 'Role ARN', 'External ID']],
  ['AWS Glue', 'Access key', ['Endpoint', 'Access key ID', 'Secret key']],
])(
  'the dialog that creates a catalog asks for what %s by %s needs [CATALOG-14, CATALOG-15, CATALOG-16, CATALOG-17, CATALOG-18, CATALOG-19, CATALOG-20, CATALOG-21, CATALOG-22, CATALOG-23]',
  async (metastore, access, fields) => {
    const app = openCatalog(`${PLACE}/catalog`)
    await app.user.click(await screen.findByRole('button', { name: 'Create catalog' }))
    const dialog = within(await screen.findByRole('dialog'))
    await app.user.click(dialog.getByRole('combobox', { name: 'Type' }))
    await app.user.click(await screen.findByRole('option', { name: metastore }))
    await app.user.click(dialog.getByRole('radio', { name: access }))
    for (const label of [...SHARED, ...fields]) expect(dialog.getByLabelText(label)).toBeTruthy()
    if (metastore !== 'Hive metastore') expect(dialog.queryByLabelText('Hive host')).toBeNull()
  },
)

test('a bucket has its own fields, is tested before it is saved, and missing values are shown', async () => {
  const missing = 'Catalogs over buckets are read as soon as the extension httpfs is in place.'
  const app = openCatalog(`${PLACE}/catalog`, {
    'schema.catalogOptions': () => ({
      readable: ['folder', 'bucket'],
      unreadable: [{ metastoreType: 'hive', why: missing }],
      folders: [],
    }),
    'schema.testCatalog': () =>
      refuse('QueryFailed', 'The bucket harbour cannot be read: no server answers there.'),
  })
  await app.user.click(await screen.findByRole('button', { name: 'Create catalog' }))
  const dialog = within(await screen.findByRole('dialog'))
  const choose = async (name: string) => {
    await app.user.click(dialog.getByRole('combobox', { name: 'Type' }))
    await app.user.click(await screen.findByRole('option', { name }))
  }
  await choose('Tabular (Iceberg REST)')
  await app.user.click(dialog.getByRole('radio', { name: 'Provided by the server' }))
  expect(dialog.queryByLabelText('Access key ID')).toBeNull()
  await choose('Hive metastore')
  expect(await dialog.findByText(missing)).toBeTruthy()
  expect(dialog.getByLabelText('Access key ID')).toBeTruthy()
  expect(dialog.queryByRole('radio', { name: 'Provided by the server' })).toBeNull()
  await choose('Bucket of files (S3)')
  expect(await dialog.findByText(/never reach the engine/)).toBeTruthy()
  await app.user.click(dialog.getByRole('radio', { name: 'IAM role' }))
  expect(dialog.getByLabelText('Role ARN')).toBeTruthy()
  expect(dialog.queryByLabelText('Session token')).toBeNull()
  await app.user.click(dialog.getByRole('radio', { name: 'Access key' }))
  const values = {
    Name: 'lake',
    Endpoint: 'https://storage.example.com',
    Bucket: 'harbour',
    'S3 region': 'eu-central-1',
    'Access key ID': 'a',
    'Secret key': 'b',
  }
  for (const [label, value] of Object.entries(values))
    await app.user.type(dialog.getByLabelText(label), value)
  expect(dialog.getByLabelText<HTMLInputElement>('Session token').type).toBe('password')
  await app.user.click(dialog.getByRole('button', { name: 'Test connection' }))
  expect((await dialog.findByRole('status')).textContent).toContain('no server answers there')
  expect(app.server.callsOf('schema.testCatalog')).toMatchObject([
    { name: 'lake', metastoreType: 'bucket', s3Bucket: 'harbour', s3Prefix: '', secretKey: 'b' },
  ])
})

test('a creation that fails says why, with a hint to try again, and keeps what was typed [CATALOG-25]', async () => {
  const app = openCatalog(`${PLACE}/catalog`, {
    'schema.addCatalog': () => refuse('NameTaken', 'There is a catalog lake already. Choose another name.'),
  })
  await app.user.click(await screen.findByRole('button', { name: 'Create catalog' }))
  const dialog = within(await screen.findByRole('dialog'))
  await app.user.click(dialog.getByRole('combobox', { name: 'Type' }))
  await app.user.click(await screen.findByRole('option', { name: 'Hive metastore' }))
  const create = () => app.user.click(dialog.getByRole('button', { name: 'Create catalog' }))
  await create()
  expect(await dialog.findByText('Enter the Hive host')).toBeTruthy()
  const values = {
    Name: 'lake',
    'S3 region': 'eu-central-1',
    'Hive host': 'hive',
    'Access key ID': 'a',
    'Secret key': 'b',
  }
  for (const [label, value] of Object.entries(values))
    await app.user.type(dialog.getByLabelText(label), value)
  await create()
  expect((await dialog.findByRole('alert')).textContent).toBe(
    'There is a catalog lake already. Choose another name. Check your entries and try again.',
  )
  expect(dialog.getByLabelText<HTMLInputElement>('Name').value).toBe('lake')
  expect(app.server.callsOf('schema.addCatalog')).toMatchObject([
    { name: 'lake', metastoreType: 'hive', access: 'key', hiveHost: 'hive', secretKey: 'b' },
  ])
})
