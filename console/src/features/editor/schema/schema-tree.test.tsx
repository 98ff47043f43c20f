import type { GlobalEvent } from '@boathouse/contract/realtime'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import { editorServer, editorView, loadEditor, typeText } from '../testing/editor-desk.tsx'
import { ORDERS } from '../testing/tab-calls.ts'
import { giveLayout } from '../testing/give-layout.ts'

giveLayout()

let server: ReturnType<typeof editorServer>
beforeEach(() => {
  window.sessionStorage.clear()
  server = editorServer()
})

const sampleDatabase = () => {
  const found = server.state.catalogs.get('default_catalog')?.get('sample')
  if (!found) throw new Error('The test’s server has lost its sample database.')
  return found
}
const tree = () => screen.findByRole('tree', { name: 'Catalogs' })
const rows = () => within(screen.getByRole('tree', { name: 'Catalogs' })).getAllByRole('treeitem')
const names = () => rows().map(({ title }) => title)
const selected = () =>
  rows()
    .filter((one) => one.getAttribute('aria-selected') === 'true')
    .map(({ title }) => title)
const row = async (name: string) => within(await tree()).findByRole('treeitem', { name })

async function openEditor() {
  const page = loadEditor({ address: `/?activeTab=${ORDERS}&tabName=Orders` })
  const view = await editorView()
  await row('sample')
  const run = (sql: string) => {
    typeText(view, sql)
    fireEvent.keyDown(view.contentDOM, { key: 'Enter', code: 'Enter', keyCode: 13, ctrlKey: true })
  }
  let seq = 0
  const tell = (type: GlobalEvent, data: unknown = null) =>
    act(() => page.sockets.latest().deliver({ cmd: 3, seq: ++seq, type, data }))
  return { page, view, run, tell }
}

describe('opening the tree', () => {
  test('asks for what is below a row when it is opened, and not before', async () => {
    await openEditor()
    expect(names()).toEqual(['default_catalog', 'main', 'sample'])
    expect(server.callsOf('schema.tables')).toEqual([])
    act(() => screen.getByRole('treeitem', { name: 'sample' }).focus())
    await userEvent.keyboard('{ArrowRight}')
    await row('nation')
    expect(names()).toEqual(['default_catalog', 'main', 'sample', 'nation', 'region', 'europe'])
    const listed = {
      commonSearchParam: { orders: [{ col: 'name', desc: false }], offset: 0, limit: 100_000, search: '' },
      catalog: 'default_catalog',
      databaseName: 'sample',
      databaseId: 'sample',
      namesOnly: true,
    }
    expect(server.callsOf('schema.tables')).toEqual([listed])
    expect(server.callsOf('schema.views')).toEqual([listed])
  })

  test('with the keyboard alone one walks, types ahead, opens and closes', async () => {
    await openEditor()
    act(() => screen.getByRole('treeitem', { name: 'default_catalog' }).focus())
    await userEvent.keyboard('sam{ArrowRight}')
    await row('nation')
    const focused = () => (document.activeElement as HTMLElement).title
    expect(focused()).toBe('sample')
    await userEvent.keyboard('{ArrowRight}{ArrowDown}')
    expect(focused()).toBe('region')
    await userEvent.keyboard('{End}')
    expect(focused()).toBe('europe')
    await userEvent.keyboard('{ArrowLeft}')
    expect(focused()).toBe('sample')
    await userEvent.keyboard('{ArrowLeft}')
    expect(names()).toEqual(['default_catalog', 'main', 'sample'])
    await userEvent.keyboard('{Home}')
    expect(focused()).toBe('default_catalog')
  })

  test('says that a database is empty', async () => {
    await openEditor()
    await userEvent.click(await row('main'))
    expect(await row('No tables yet')).toBeTruthy()
  })

  test('what could not be loaded says so and is tried again with Enter', async () => {
    await openEditor()
    server.setOffline(true)
    await userEvent.click(await row('sample'))
    const failed = await row('Could not be loaded Retry')
    server.setOffline(false)
    act(() => failed.focus())
    await userEvent.keyboard('{Enter}')
    expect(await row('nation')).toBeTruthy()
  })

  test('catalogs that could not be loaded are reported, and can be tried again', async () => {
    server.setOffline(true)
    loadEditor({ isOpen: false })
    const panel = screen.findByRole('region', { name: 'Catalogs' })
    const alert = await within(await panel).findByRole('alert')
    expect(alert.textContent).toContain('The catalogs could not be loaded.')
    server.setOffline(false)
    await userEvent.click(within(alert).getByRole('button', { name: 'Retry' }))
    await row('sample')
  })

  test('a filter keeps what has its text in the name', async () => {
    await openEditor()
    await userEvent.click(await row('sample'))
    await row('nation')
    await userEvent.type(screen.getByLabelText('Filter catalogs'), 'REG')
    await waitFor(() => expect(names()).toEqual(['default_catalog', 'sample', 'region']))
    await userEvent.type(screen.getByLabelText('Filter catalogs'), 'x')
    expect(await screen.findByText('No name that you have access to contains “REGx”.')).toBeTruthy()
  })

  test('of a hundred thousand tables only those that can be seen are drawn, and the keyboard reaches the last', async () => {
    sampleDatabase().tables = Array.from({ length: 100_000 }, (_, at) => `t${String(at).padStart(6, '0')}`)
    sampleDatabase().views = []
    await openEditor()
    await userEvent.click(await row('sample'))
    await row('t000000')
    expect(names().length).toBeLessThan(60)
    await userEvent.keyboard('{End}')
    const last = document.activeElement as HTMLElement
    expect(last.title).toBe('t099999')
    expect(last.getAttribute('aria-setsize')).toBe('100000')
    await userEvent.keyboard('{Home}')
    expect((document.activeElement as HTMLElement).title).toBe('default_catalog')
  })
})

describe('a database that is chosen', () => {
  test('is the tab’s: shown, saved, and where its next query runs', async () => {
    const { page, run } = await openEditor()
    run('select 1')
    page.answer()
    await userEvent.click(await row('sample'))
    expect(selected()).toEqual(['sample'])
    expect(screen.getByRole('toolbar').textContent).toContain('default_catalog.sample')
    await waitFor(() =>
      expect(server.callsOf('editor.updateTabDatabase')).toEqual([
        { tabId: ORDERS, catalog: 'default_catalog', database: 'sample' },
      ]),
    )
    run('select 2')
    const sent = page.sockets.latest().sent.flatMap((one) => (one.cmd === 2 ? [one.queryReq.sql] : []))
    expect(sent.at(-2)).toContain('USE /* Boathouse console */ "default_catalog"."sample"')
    expect(sent.at(-1)).toBe('select 2')
  })

  test('by Enter as well; opening one with the arrows chooses nothing', async () => {
    await openEditor()
    act(() => screen.getByRole('treeitem', { name: 'sample' }).focus())
    await userEvent.keyboard('{ArrowRight}')
    await row('nation')
    expect(selected()).toEqual([])
    await userEvent.keyboard('{Enter}')
    expect(selected()).toEqual(['sample'])
  })

  test('is shown in the tree when the user asks for the place in the toolbar', async () => {
    await openEditor()
    await userEvent.click(await row('main'))
    await userEvent.click(screen.getByRole('button', { name: /Catalog and database of this query/ }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Show in tree' }))
    expect((document.activeElement as HTMLElement).title).toBe('main')
  })
})

describe('a table', () => {
  const insertedBy = async (touch: (table: HTMLElement) => Promise<unknown>) => {
    const { view } = await openEditor()
    typeText(view, 'select * from ')
    act(() => screen.getByRole('treeitem', { name: 'sample' }).focus())
    await userEvent.keyboard('{ArrowRight}')
    await touch(await row('nation'))
    return view
  }

  test('is put into the text at the cursor by a double click, quoted', async () => {
    const view = await insertedBy((table) => userEvent.dblClick(table))
    expect(view.state.doc.toString()).toBe('select * from "sample"."nation"')
    expect(document.activeElement).toBe(view.contentDOM)
  })

  test('by Enter and by its button as well', async () => {
    const view = await insertedBy(async (table) => {
      act(() => table.focus())
      await userEvent.keyboard('{Enter}')
    })
    await userEvent.click((await row('region')).querySelector('button')!)
    expect(view.state.doc.toString()).toBe('select * from "sample"."nation""sample"."region"')
  })

  test('is not put there by one click', async () => {
    const view = await insertedBy((table) => userEvent.click(table))
    expect(view.state.doc.toString()).toBe('select * from ')
  })
})

describe('columns', () => {
  test('are loaded when a table is opened, shown with their types, and put into the text', async () => {
    const { view } = await openEditor()
    typeText(view, 'select ')
    await userEvent.click(await row('sample'))
    const nation = await row('nation')
    expect(server.callsOf('schema.columns')).toEqual([])
    act(() => nation.focus())
    await userEvent.keyboard('{ArrowRight}')
    const column = await row('name BIGINT')
    expect(names()).toEqual(['default_catalog', 'main', 'sample', 'nation', 'id', 'name', 'region', 'europe'])
    expect(server.callsOf('schema.columns')).toEqual([
      expect.objectContaining({ catalog: 'default_catalog', databaseName: 'sample', tableName: 'nation' }),
    ])
    await userEvent.dblClick(column)
    expect(view.state.doc.toString()).toBe('select "name"')
    act(() => nation.focus())
    await userEvent.keyboard('{ArrowLeft}')
    await waitFor(() => expect(names()).not.toContain('id'))
  })

  test('that a statement changes are loaded again', async () => {
    const { page, run } = await openEditor()
    await userEvent.click(await row('sample'))
    act(() => screen.getByRole('treeitem', { name: 'nation' }).focus())
    await userEvent.keyboard('{ArrowRight}')
    await row('id BIGINT')
    server.state.columns = ['id', 'name', 'anthem']
    run('create or replace table nation (id int, name int, anthem int)')
    page.answer({ fields: [], result: [] })
    expect(await row('anthem BIGINT')).toBeTruthy()
  })
})

test('catalogs, databases, tables, views and materialized views are beside the query tabs [EDITOR-02]', async () => {
  server.state.materialized = ['by_region']
  const { page } = await openEditor()
  await userEvent.click(await row('sample'))
  const view = await row('by_region materialized')
  act(() => view.focus())
  expect(names()).toEqual(['default_catalog', 'main', 'sample', 'nation', 'region', 'europe', 'by_region'])
  expect(screen.getByRole('tablist', { name: 'Open queries' })).toBeTruthy()
  await userEvent.keyboard('{Shift>}{F10}{/Shift}')
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Show create statement' }))
  await waitFor(() =>
    expect(page.query().sql).toBe('SHOW CREATE MATERIALIZED VIEW "default_catalog"."sample"."by_region"'),
  )
})

describe('the menu of a row', () => {
  const menuFor = async (name: string, keys = '{Shift>}{F10}{/Shift}') => {
    act(() => screen.getByRole('treeitem', { name }).focus())
    await userEvent.keyboard(keys)
    return screen.findByRole('menu', { name: `Actions for ${name}` })
  }
  const openSample = async () => {
    const desk = await openEditor()
    await userEvent.click(await row('sample'))
    await row('nation')
    return desk
  }
  const items = (menu: HTMLElement) =>
    within(menu)
      .getAllByRole('menuitem')
      .map(({ textContent }) => textContent)

  test('opens by Shift+F10, by the menu key and by the other mouse button, and gives the keyboard back', async () => {
    await openSample()
    expect(items(await menuFor('nation'))).toEqual([
      'Show first 100 rows',
      'Describe',
      'Show create statement',
      'Insert name',
      'Copy path',
      'Drop…',
    ])
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('menu')).toBeNull()
    expect((document.activeElement as HTMLElement).title).toBe('nation')
    expect(items(await menuFor('default_catalog', '{ContextMenu}'))).toEqual(['Insert name', 'Copy path'])
    await userEvent.keyboard('{Escape}')
    fireEvent.contextMenu(screen.getByRole('treeitem', { name: 'main' }))
    const menu = await screen.findByRole('menu', { name: 'Actions for main' })
    await userEvent.click(within(menu).getByRole('menuitem', { name: 'Use this database' }))
    expect(selected()).toEqual(['main'])
  })

  test.each([
    [
      'Show first 100 rows',
      'SELECT * FROM "default_catalog"."sample"."nation" LIMIT 100',
      'first 100 rows of default_catalog.sample.nation',
    ],
    ['Describe', 'DESCRIBE "default_catalog"."sample"."nation"', 'of DESCRIBE default_catalog.sample.nation'],
    [
      'Show create statement',
      'SHOW CREATE TABLE "default_catalog"."sample"."nation"',
      'of SHOW CREATE TABLE default_catalog.sample.nation',
    ],
  ])(
    'pain 16: %s runs in the tab, which is all that is read, leaves its text alone, and the result names the table',
    async (label, sql, named) => {
      const { page, view } = await openSample()
      const text = view.state.doc.toString()
      const menu = await menuFor('nation')
      await userEvent.click(within(menu).getByRole('menuitem', { name: label }))
      await waitFor(() => expect(page.query().sql).toBe(sql))
      expect(page.sockets.latest().queries().at(-1)).toBe(page.query())
      expect(view.state.doc.toString()).toBe(text)
      page.answer({ connId: 7, result: [['one']], totalRows: 1 })
      expect(await screen.findByText(named)).toBeTruthy()
    },
  )

  test('inserts the name of what it is the menu of', async () => {
    const { view } = await openSample()
    typeText(view, 'use ')
    const menu = await menuFor('main')
    await userEvent.click(within(menu).getByRole('menuitem', { name: 'Insert name' }))
    expect(view.state.doc.toString()).toBe('use "main"')
  })

  test('drops a table after it has said what goes with it', async () => {
    server.state.usedBy = [{ database: 'sample', name: 'europe', type: 'view' }]
    await openSample()
    const menu = await menuFor('nation')
    await userEvent.click(within(menu).getByRole('menuitem', { name: 'Drop…' }))
    const dialog = await screen.findByRole('dialog', { name: 'Drop table nation?' })
    expect(
      await within(dialog).findByText(/1 object uses it and will stop working: sample.europe/),
    ).toBeTruthy()
    expect(await within(dialog).findByText('It has 25 rows.')).toBeTruthy()
    expect(server.callsOf('schema.dropTable')).toEqual([])
    await userEvent.click(within(dialog).getByRole('button', { name: 'Drop table' }))
    await waitFor(() =>
      expect(server.callsOf('schema.dropTable')).toEqual([
        expect.objectContaining({ databaseName: 'sample', tableName: 'nation', evenIfUsed: true }),
      ]),
    )
  })
})

test('a search shows what is in databases that are closed', async () => {
  await openEditor()
  server.state.found = [
    { type: 'table', catalog: 'default_catalog', catalogType: 'Internal', database: 'main', name: 'sculls' },
  ]
  await userEvent.type(screen.getByLabelText('Filter catalogs'), 'scul')
  await waitFor(() => expect(names()).toEqual(['default_catalog', 'main', 'sculls']))
})

describe('what changes', () => {
  const openSample = async () => {
    const desk = await openEditor()
    await userEvent.click(await row('sample'))
    await row('nation')
    return desk
  }

  test('by a statement of this tab appears and disappears, without a moment without rows', async () => {
    const { page, run } = await openSample()
    const seen: number[] = []
    const observer = new MutationObserver(() => seen.push(names().length))
    observer.observe(await tree(), { childList: true, subtree: true })
    sampleDatabase().tables.push('parts')
    run('create table parts (i int)')
    page.answer({ fields: [], result: [] })
    await row('parts')
    sampleDatabase().tables.shift()
    run('drop table nation')
    page.answer({ fields: [], result: [] })
    await waitFor(() => expect(names()).not.toContain('nation'))
    observer.disconnect()
    expect(Math.min(...seen)).toBeGreaterThanOrEqual(6)
  })

  test('by others is loaded when the channel reports it; closed nodes are not', async () => {
    const { tell } = await openSample()
    const before = server.callsOf('schema.tables').length
    sampleDatabase().tables.push('parts')
    tell('GlobalEventTypeDatabaseChanged', { catalog: 'default_catalog', database: 'sample' })
    tell('GlobalEventTypeDatabaseChanged', { catalog: 'default_catalog', database: 'main' })
    await row('parts')
    expect(server.callsOf('schema.tables')).toHaveLength(before + 1)
  })

  test('of catalogs as well', async () => {
    const { tell } = await openEditor()
    server.state.catalogs.set('lake', new Map())
    tell('GlobalEventTypeCatalogChanged')
    expect(await row('lake')).toBeTruthy()
  })

  test('of the place, by USE, is selected and opened [EDITOR-33]', async () => {
    const { page, run } = await openEditor()
    run('use sample')
    page.answer({ fields: [], result: [], dbChange: true, db: 'sample' })
    await row('nation')
    expect(selected()).toEqual(['sample'])
    await waitFor(() => expect(server.callsOf('editor.updateTabDatabase')).toHaveLength(1))
  })

  test('of the catalog selects it and opens it with its databases [EDITOR-32]', async () => {
    server.state.catalogs.set('lake', new Map([['sales', { tables: [], views: [] }]]))
    const { page, run } = await openSample()
    run('set catalog lake')
    page.answer({ fields: [], result: [], catalogChange: true, catalog: 'lake', db: '' })
    await row('sales')
    expect(selected()).toEqual(['lake'])
  })

  test('under the keyboard leaves it in the tree', async () => {
    const { tell } = await openSample()
    act(() => screen.getByRole('treeitem', { name: 'nation' }).focus())
    sampleDatabase().tables.shift()
    tell('GlobalEventTypeDatabaseChanged', { catalog: 'default_catalog', database: 'sample' })
    await waitFor(() => expect(names()).not.toContain('nation'))
    expect((document.activeElement as HTMLElement).title).toBe('region')
  })
})

test('with every warehouse suspended the tree is there all the same', async () => {
  server.state.warehouse = 'Suspended'
  await openEditor()
  await userEvent.click(await row('sample'))
  expect(await row('nation')).toBeTruthy()
})
