import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
// Loaded beforehand: the console loads it when it is needed, and the first time takes long.
import './pages/catalog-routes.tsx'
import { DATABASE, openCatalog, ORDERS } from './testing/catalog-calls.ts'

test('what somebody may not do is not offered, and says why', async () => {
  const app = openCatalog(DATABASE, {
    'schema.actions': () => ({ createTable: 'This needs CREATE TABLE.', dropDatabase: 'This needs DROP.' }),
  })
  const create = await screen.findByRole('button', { name: 'Create table' })
  await waitFor(() => expect((create as HTMLButtonElement).disabled).toBe(true))
  expect(create.title).toBe('This needs CREATE TABLE.')
  await app.user.click(screen.getByRole('button', { name: 'Actions of shop' }))
  const drop = await screen.findByRole('menuitem', { name: 'Drop database' })
  expect(drop.getAttribute('aria-disabled')).toBe('true')
  expect(drop.title).toBe('This needs DROP.')
  await app.user.click(drop)
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('nobody is offered to load data where only clusters can change it, and every place says why', async () => {
  const why = 'Tables of lake are changed by statements in a warehouse that is a cluster.'
  const app = openCatalog(DATABASE, {
    'schema.actions': () => ({ createTable: why, loadData: why }),
  })
  const load = await screen.findByRole('button', { name: 'Load data' })
  await waitFor(() => expect((load as HTMLButtonElement).disabled).toBe(true))
  expect(load.title).toBe(why)
  app.screen.unmount()

  const table = openCatalog(`${DATABASE}/table-orders`, {
    'schema.describe': () => ({ ...ORDERS, actions: ['read'], fixed: why }),
    'schema.sample': () => ({ columns: [], rows: [], truncated: false }),
  })
  await table.user.click(await screen.findByRole('button', { name: 'Actions of orders' }))
  for (const name of ['Load data', 'Drop']) {
    const item = await screen.findByRole('menuitem', { name })
    expect([item.getAttribute('aria-disabled'), item.title]).toEqual(['true', why])
  }
  await table.user.keyboard('{Escape}')
  await table.user.click(screen.getByRole('tab', { name: 'Sample' }))
  expect(await screen.findByRole('heading', { name: 'No rows' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Load data' })).toBeNull()
})

test('sample data is restored from the page of its database, and from its catalog where it is missing', async () => {
  const app = openCatalog(DATABASE.replace('shop', 'sample'), {
    'schema.actions': () => ({ createTable: '', dropDatabase: '', restoreSamples: '' }),
    'schema.restoreSamples': () => ({}),
  })
  await app.user.click(await screen.findByRole('button', { name: 'Actions of sample' }))
  await app.user.click(await screen.findByRole('menuitem', { name: 'Restore sample data' }))
  const dialog = await screen.findByRole('dialog', { name: 'Restore sample data?' })
  expect(dialog.textContent).toContain('Your changes to them are lost')
  await app.user.click(within(dialog).getByRole('button', { name: 'Restore sample data' }))
  expect(await screen.findByText('Sample data restored.')).toBeTruthy()
  expect(app.server.callsOf('schema.restoreSamples')).toEqual([{}])
  app.screen.unmount()
  openCatalog(DATABASE.replace('/database-shop', ''), {
    'schema.actions': () => ({ createDatabase: '', restoreSamples: 'This needs CREATE DATABASE.' }),
  })
  const restore = await screen.findByRole('button', { name: 'Restore sample data' })
  expect((restore as HTMLButtonElement).disabled).toBe(true)
  expect(restore.title).toBe('This needs CREATE DATABASE.')
})
