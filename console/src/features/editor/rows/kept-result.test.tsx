import type { QueryRsp } from '@boathouse/contract/realtime'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { giveLayout } from '../testing/give-layout.ts'
import { FULL_ID } from '../testing/kept-result-calls.ts'
import { editorServer, editorView, loadEditor, QUERY_ID } from '../testing/editor-desk.tsx'
import { ORDERS } from '../testing/tab-calls.ts'

giveLayout()

let server: ReturnType<typeof editorServer>
beforeEach(() => {
  window.sessionStorage.clear()
  server = editorServer()
})

async function runAnd(over: Partial<QueryRsp>) {
  const page = loadEditor({ address: `/?activeTab=${ORDERS}&tabName=Orders` })
  const view = await editorView()
  const key = { key: 'Enter', code: 'Enter', keyCode: 13, ctrlKey: true }
  fireEvent.keyDown(view.contentDOM, key)
  page.answer({ queryId: QUERY_ID, resultKept: true, ...over })
  return page
}

const grid = () => screen.getByRole('grid', { name: 'Rows of the result' })
const cells = () => within(grid()).getAllByRole('gridcell')

const NUMBERS = { fields: [{ name: 'n', type: 'BIGINT', family: 'number' }] } satisfies Partial<QueryRsp>
const thousand = Array.from({ length: 1000 }, (_, at) => [String(at)])

describe('rows that were kept', () => {
  test('beyond the first 1000 are counted, and there to be scrolled to', async () => {
    server.state.rows = 4213
    await runAnd({ ...NUMBERS, result: thousand, totalRows: 1000, truncated: true })
    expect(screen.getByText('first 1,000 rows')).toBeTruthy()
    expect(await screen.findByText('1,000 of 4,213 rows shown')).toBeTruthy()
    expect(grid().getAttribute('aria-rowcount')).toBe('4214')
    act(() => grid().focus())
    await userEvent.keyboard('{Control>}{End}{/Control}')
    grid().scrollTop = 4213 * 26
    fireEvent.scroll(grid())
    await waitFor(() => expect(cells().at(-1)?.textContent).toBe('4212'))
    expect(screen.getByText('4,213 rows')).toBeTruthy()
    expect(server.callsOf('query.resultWindow')).toEqual([
      { queryId: QUERY_ID, offset: 0, limit: 1 },
      { queryId: QUERY_ID, offset: 4000, limit: 1000 },
    ])
  })

  test('pain 11: a million of them are scrolled to the last, and only what can be seen is drawn and loaded', async () => {
    server.state.rows = 1_000_000
    await runAnd({ ...NUMBERS, result: thousand, totalRows: 1000, truncated: true })
    await screen.findByText('1,000 of 1,000,000 rows shown')
    act(() => grid().focus())
    await userEvent.keyboard('{Control>}{End}{/Control}')
    fireEvent.scroll(grid())
    await waitFor(() => expect(cells().at(-1)?.textContent).toBe('999999'))
    expect(cells().length).toBeLessThan(100)
    expect(server.callsOf('query.resultWindow').slice(1)).toEqual([
      { queryId: QUERY_ID, offset: 999_000, limit: 1000 },
    ])
  })

  test('are sorted and filtered over all of them, where they are kept', async () => {
    server.state.rows = 4213
    await runAnd({ ...NUMBERS, result: thousand, totalRows: 1000, truncated: true })
    await screen.findByText('1,000 of 4,213 rows shown')
    act(() => grid().focus())
    fireEvent.contextMenu(within(grid()).getByRole('columnheader', { name: /^n/ }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Sort descending' }))
    await waitFor(() => expect(cells()[0]?.textContent).toBe('4212'))
    expect(screen.getByText('Covers all 4,213 rows of the result')).toBeTruthy()

    fireEvent.contextMenu(within(grid()).getByRole('columnheader', { name: /^n/ }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Filter…' }))
    const filter = await screen.findByRole('textbox', { name: /^Show rows with/ })
    fireEvent.change(filter, { target: { value: '421' } })
    // 4212, 4211, 4210, 3421, 2421, 1421, 421
    expect(await screen.findByText('7 of 4,213 shown')).toBeTruthy()
    expect(cells().map((cell) => cell.textContent)).toEqual([
      '4212',
      '4211',
      '4210',
      '3421',
      '2421',
      '1421',
      '421',
    ])
    await userEvent.click(screen.getByRole('button', { name: 'Reset view' }))
    await waitFor(() => expect(cells()[0]?.textContent).toBe('0'))
  })

  test('have statistics of all of them, and a click on a value shows its rows alone', async () => {
    server.state.rows = 4213
    server.state.isCut = true
    await runAnd({ ...NUMBERS, result: thousand, totalRows: 1000, truncated: true })
    act(() => grid().focus())
    fireEvent.contextMenu(within(grid()).getByRole('columnheader', { name: /^n/ }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Summary' }))
    const side = within(await screen.findByRole('complementary', { name: 'Details' }))
    expect(await side.findByText('Of the first 4,213 rows. The query has more.')).toBeTruthy()
    expect(side.getByText('8,878,046')).toBeTruthy()
    expect(side.getByText('2,106.04')).toBeTruthy()
    const parts = within(side.getByRole('region', { name: 'Distribution' })).getAllByRole('listitem')
    expect(parts.map((part) => part.textContent)).toEqual(['0 to 99: 4,213 rows', 'No rows'])

    const value = () => side.getByRole('button', { name: 'Filter by 7 1 row' })
    expect(value().getAttribute('aria-pressed')).toBe('false')
    await userEvent.click(value())
    expect(await side.findByText('Of the 1 row that matches.')).toBeTruthy()
    expect(value().getAttribute('aria-pressed')).toBe('true')
    expect(server.callsOf('result.columnStatistics')).toEqual([
      { queryId: QUERY_ID, column: 0, filters: [] },
      { queryId: QUERY_ID, column: 0, filters: [{ column: 0, written: '= 7' }] },
    ])
    await userEvent.click(value())
    await waitFor(() => expect(side.queryByText(/that matches/)).toBeNull())
  })

  test('say why there are no statistics, which can be tried again', async () => {
    server.state.isExpired = true
    await runAnd({ ...NUMBERS, result: thousand, totalRows: 1000 })
    act(() => grid().focus())
    fireEvent.contextMenu(within(grid()).getByRole('columnheader', { name: /^n/ }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Summary' }))
    expect((await screen.findByText(/^The statistics could not be computed/)).textContent).toContain(
      'no longer kept',
    )
    server.state.isExpired = false
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByRole('button', { name: 'Filter by 7 1 row' })).toBeTruthy()
  })

  test('say so when they cannot be sorted, and stay unchanged', async () => {
    server.state.rows = 4213
    await runAnd({ ...NUMBERS, result: thousand, totalRows: 1000, truncated: true })
    await screen.findByText('1,000 of 4,213 rows shown')
    server.state.isExpired = true
    fireEvent.contextMenu(within(grid()).getByRole('columnheader', { name: /^n/ }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Sort descending' }))
    expect((await screen.findByRole('alert')).textContent).toContain(
      'The rows of this query are no longer kept.',
    )
    expect(cells()[0]?.textContent).toBe('0')
  })

  test('are shared by a link, which can be revoked', async () => {
    const user = userEvent.setup()
    server.state.refusesShare = true
    await runAnd({ ...NUMBERS, result: [['1']] })
    await user.click(screen.getByRole('button', { name: 'Display options' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Share result…' }))
    const dialog = await screen.findByRole('dialog', { name: 'Share result' })
    await user.click(await within(dialog).findByRole('button', { name: 'Create link' }))
    expect(await within(dialog).findByText('This result cannot be shared.')).toBeTruthy()
    server.state.refusesShare = false
    await user.click(within(dialog).getByRole('button', { name: 'Create link' }))
    const link = await within(dialog).findByRole<HTMLInputElement>('textbox', { name: 'Link to this result' })
    expect(link.value).toContain(`/editor/result/${QUERY_ID}`)
    await user.click(within(dialog).getByRole('button', { name: 'Stop sharing' }))
    expect(await within(dialog).findByRole('button', { name: 'Create link' })).toBeTruthy()
  })

  test('show what they cost once that is counted', async () => {
    server.state.cost = '0.000123'
    await runAnd({ ...NUMBERS, result: [['1']] })
    expect(await screen.findByText('0.000123 USD')).toBeTruthy()
    expect(screen.getByText('4.3 KB')).toBeTruthy()
  })

  test('show what they cost so far, and ask again until that is final', async () => {
    Object.assign(server.state, { cost: '0.000506', costIsFinal: false })
    await runAnd({ ...NUMBERS, result: [['1']] })
    expect(await screen.findByText('0.000506 USD so far')).toBeTruthy()
    Object.assign(server.state, { cost: '0.004176', costIsFinal: true })
    expect(await screen.findByText('0.004176 USD')).toBeTruthy()
    expect(screen.queryByText(/so far/)).toBeNull()
  })

  test('stay visible, dimmed, until the next run answers', async () => {
    const page = await runAnd({ ...NUMBERS, result: [['41']] })
    const view = await editorView()
    fireEvent.keyDown(view.contentDOM, { key: 'Enter', code: 'Enter', keyCode: 13, ctrlKey: true })
    expect(screen.getByRole('progressbar')).toBeTruthy()
    expect(screen.getByText('41').closest('[inert]')).not.toBeNull()
    page.answer({ queryId: QUERY_ID, resultKept: true, ...NUMBERS, result: [['42']] })
    expect(screen.getByText('42').closest('[inert]')).toBeNull()
    expect(screen.queryByText('41')).toBeNull()
    expect(screen.queryByRole('progressbar')).toBeNull()
  })

  test('pain 14: are copied from where they are kept when they are not loaded', async () => {
    server.state.rows = 2500
    await runAnd({ ...NUMBERS, result: thousand, totalRows: 1000, truncated: true })
    await screen.findByText('1,000 of 2,500 rows shown')
    const writeText = vi.fn<Clipboard['writeText']>(async () => undefined)
    Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
    onTestFinished(() => void Reflect.deleteProperty(navigator, 'clipboard'))
    act(() => grid().focus())
    fireEvent.keyDown(grid(), { key: 'a', ctrlKey: true })
    fireEvent.copy(grid(), { clipboardData: { setData: vi.fn<DataTransfer['setData']>() } })
    await waitFor(() => expect(writeText).toHaveBeenCalledTimes(1))
    const lines = String(writeText.mock.calls[0]?.[0]).split('\n')
    expect(lines).toHaveLength(2501)
    expect([lines[1], lines[2500]]).toEqual(['0', '2499'])
  })

  test('of a run that the service answers again are read where they are kept', async () => {
    server.state.rows = 3
    await runAnd({ fields: [], result: [], totalRows: 0 })
    await waitFor(() => expect(cells().map((cell) => cell.textContent)).toEqual(['0', '1', '2']))
    expect(screen.getByText('3 rows')).toBeTruthy()
  })

  test('that are gone say so in their place', async () => {
    server.state.isExpired = true
    await runAnd({ fields: [], result: [], totalRows: 0 })
    expect(await screen.findByText('The rows could not be loaded')).toBeTruthy()
    expect(screen.getByText('The rows of this query are no longer kept.')).toBeTruthy()
    server.state.isExpired = false
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
    await waitFor(() => expect(grid()).toBeTruthy())
  })
})

describe('a long value', () => {
  const LONG: Partial<QueryRsp> = {
    fields: [
      { name: 'id', type: 'BIGINT', family: 'number' },
      { name: 'doc', type: 'JSON', family: 'text', valueType: { kind: 'json' } },
    ],
    result: [['1', '{"a":['.padEnd(4096, '1')]],
    longCells: [{ row: 0, column: 1, length: 12_345 }],
  }

  test('shows its beginning and its true length, and opens whole and laid out', async () => {
    server.state.cell = `{"a":[1,2],"text":"${'x'.repeat(80)}"}`
    await runAnd(LONG)
    const cell = cells()[1]
    expect(cell?.textContent).toContain('…')
    expect(cell?.textContent).toContain('12,345 characters')
    await userEvent.click(screen.getByText('12,345 characters'))
    const dialog = await screen.findByRole('dialog', { name: 'doc' })
    const value = await within(dialog).findByRole('region', { name: 'Value of doc' })
    expect(value.textContent).toBe(`{\n  "a":[1,2],\n  "text":"${'x'.repeat(80)}"\n}`)
    expect(server.callsOf('query.resultCell')).toMatchObject([{ queryId: QUERY_ID, row: 0, column: 1 }])
  })

  test('is copied from its dialog to the character', async () => {
    const user = userEvent.setup()
    server.state.cell = '{"a":[1,   2]}'
    await runAnd(LONG)
    await user.click(screen.getByText('12,345 characters'))
    const dialog = await screen.findByRole('dialog', { name: 'doc' })
    await user.click(await within(dialog).findByRole('button', { name: 'Copy' }))
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe('{"a":[1,   2]}'))
  })

  test('that is no longer kept says so in its dialog', async () => {
    await runAnd(LONG)
    server.state.isExpired = true
    await userEvent.click(screen.getByText('12,345 characters'))
    const dialog = await screen.findByRole('dialog', { name: 'doc' })
    expect((await within(dialog).findByRole('alert')).textContent).toBe(
      'The rows of this query are no longer kept.',
    )
    expect(within(dialog).getByRole('button', { name: 'Retry' })).toBeTruthy()
  })

  test('that is too long for one answer says how much is here, and where the whole is', async () => {
    server.state.cell = 'x'.repeat(300_000)
    server.state.cellLength = 5_000_000
    await runAnd(LONG)
    await userEvent.click(screen.getByText('12,345 characters'))
    expect(
      await screen.findByText(/first 200,000 characters. Copy includes the first 300,000. Download/),
    ).toBeTruthy()
  })

  test('without the rest of it says how much is here', async () => {
    await runAnd({ ...LONG, resultKept: false })
    await userEvent.click(screen.getByText('12,345 characters'))
    expect(await screen.findByText(/Only the first 4,096 characters were kept/)).toBeTruthy()
    expect(server.callsOf('query.resultCell')).toEqual([])
  })

  test('that is copied in part is reported', async () => {
    await runAnd(LONG)
    act(() => grid().focus())
    await userEvent.keyboard('{Control>}a{/Control}')
    const setData = vi.fn<DataTransfer['setData']>()
    fireEvent.copy(grid(), { clipboardData: { setData } })
    expect(setData).toHaveBeenCalledWith('text/plain', expect.any(String))
    expect(await screen.findByText(/1 long value was shortened/)).toBeTruthy()
  })
})

test('Enter opens the value of any cell, and Escape gives the grid back', async () => {
  await runAnd({ ...NUMBERS, result: [['9007199254740993']] })
  act(() => grid().focus())
  await userEvent.keyboard('{Enter}')
  const dialog = await screen.findByRole('dialog', { name: 'n' })
  expect(within(dialog).getByRole('region').textContent).toBe('9007199254740993')
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(grid()))
})

describe('a download', () => {
  const openMenu = async () => userEvent.click(screen.getByRole('button', { name: 'Download' }))

  test('is made by the service and then fetched by the browser', async () => {
    const clicked: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      clicked.push(`${new URL(this.href).pathname} ${this.download}`)
    })
    await runAnd(NUMBERS)
    await openMenu()
    const names = (await screen.findAllByRole('menuitem')).map((item) => item.textContent)
    expect(names).toEqual(['CSV.csv', 'JSON.json', 'Parquet.parquet', 'Excel.xlsx'])
    await userEvent.click(screen.getByRole('menuitem', { name: /Parquet/ }))
    await waitFor(() => expect(clicked).toEqual(['/download/code result.parquet']))
    expect(server.callsOf('query.exportResult')).toMatchObject([{ queryId: QUERY_ID, format: 'parquet' }])
    expect(await screen.findByText('Downloading result.parquet (1.2 KB).')).toBeTruthy()
    vi.restoreAllMocks()
  })

  test('that fails says why in place, and can be tried again or dismissed', async () => {
    server.state.isExpired = true
    await runAnd(NUMBERS)
    await openMenu()
    await userEvent.click(await screen.findByRole('menuitem', { name: /CSV/ }))
    const failure = await screen.findByText(/The CSV file could not be created/)
    expect(failure.textContent).toContain('no longer kept')
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
    await waitFor(() => expect(server.callsOf('query.exportResult')).toHaveLength(2))
    await userEvent.click(await screen.findByRole('button', { name: 'Close' }))
    expect(screen.queryByText(/could not be created/)).toBeNull()
  })

  const openCut = async () => {
    server.state.isCut = true
    server.state.rows = 1000
    await runAnd({ ...NUMBERS, truncated: true })
    await screen.findByText(/first 1,000 rows/i)
    await openMenu()
  }

  test('of a part says so, and all rows are run for, with progress, before their file is made', async () => {
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    server.state.fullRun = { state: 'running', progress: 45, rows: 90_000, error: '' }
    await openCut()
    expect(screen.getByText('First 1,000 rows. The query has more.')).toBeTruthy()
    expect(screen.getByText('All rows. Runs the query again.')).toBeTruthy()
    await userEvent.click(screen.getByRole('menuitem', { name: /Excel.*all rows/ }))
    expect(await screen.findByRole('button', { name: /Running the query for all rows… 45/ })).toBeTruthy()
    expect(server.callsOf('query.exportResult')).toEqual([])
    server.state.fullRun = { state: 'finished', progress: null, rows: 199_999, error: '' }
    await waitFor(() =>
      expect(server.callsOf('query.exportResult')).toMatchObject([{ queryId: FULL_ID, format: 'xlsx' }]),
    )
    expect(server.callsOf('query.runInFull')).toMatchObject([{ queryId: QUERY_ID }])
    vi.restoreAllMocks()
  })

  test('of all rows that runs is stopped', async () => {
    server.state.fullRun = { state: 'running', progress: null, rows: 12, error: '' }
    await openCut()
    await userEvent.click(screen.getByRole('menuitem', { name: /CSV.*all rows/ }))
    await screen.findByRole('button', { name: /Running the query for all rows… 12 rows/ })
    await userEvent.click(screen.getByRole('button', { name: 'Cancel download' }))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Download' })).toBeTruthy())
    const [begun] = server.callsOf('query.runInFull') as { requestId: string }[]
    expect(server.callsOf('editor.kill')).toEqual([{ requestId: begun?.requestId }])
    expect(server.callsOf('query.exportResult')).toEqual([])
  })

  test.each(['JSON', 'Parquet'])(
    'of all rows as %s that fails says why, and can be tried again',
    async (format) => {
      server.state.fullRun = {
        state: 'failed',
        progress: null,
        rows: null,
        error: 'They are too many for one file.',
      }
      await openCut()
      await userEvent.click(screen.getByRole('menuitem', { name: new RegExp(`${format}.*all rows`) }))
      expect((await screen.findByRole('alert')).textContent).toContain('They are too many for one file.')
      await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
      await waitFor(() => expect(server.callsOf('query.runInFull')).toHaveLength(2))
    },
  )

  test('of a whole result says how many rows it has, and runs nothing', async () => {
    await runAnd(NUMBERS)
    await openMenu()
    expect(await screen.findByText(/rows? of the result/)).toBeTruthy()
    expect(screen.queryByText(/Runs the query again/)).toBeNull()
  })

  test('is offered only for rows that were kept', async () => {
    await runAnd({ ...NUMBERS, resultKept: false })
    expect(screen.queryByRole('button', { name: 'Download' })).toBeNull()
  })
})

const wide = (rows: number, columns: number): Partial<QueryRsp> => ({
  fields: Array.from({ length: columns }, (_, at) => ({ name: `c${at}`, type: 'BIGINT', family: 'number' })),
  result: Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (__, column) => (column % 3 === 1 ? null : `${row}/${column}`)),
  ),
  totalRows: rows,
})

test('pain 12: of a thousand columns those that can be seen are drawn, and the keyboard reaches the last', async () => {
  await runAnd(wide(40, 1000))
  expect(grid().getAttribute('aria-colcount')).toBe('1001')
  expect(cells().length).toBeLessThan(1000)
  act(() => grid().focus())
  await userEvent.keyboard('{Control>}{End}{/Control}')
  fireEvent.scroll(grid())
  const last = () => document.getElementById(grid().getAttribute('aria-activedescendant') ?? '')
  await waitFor(() => expect(last()?.textContent).toBe('39/999'))
  expect(cells().length).toBeLessThan(1000)
})

test('pain 15: typing renders nothing of the result again', async () => {
  await runAnd(wide(200, 200))
  const drawn = new MutationObserver(() => undefined)
  drawn.observe(grid(), { subtree: true, childList: true, attributes: true, characterData: true })
  const view = await editorView()
  for (const letter of 'select ') act(() => view.dispatch(view.state.replaceSelection(letter)))
  expect(view.state.doc.toString()).toContain('select ')
  expect(drawn.takeRecords()).toEqual([])
  drawn.disconnect()
})
