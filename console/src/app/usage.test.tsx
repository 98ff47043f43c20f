import type { Budget } from '@boathouse/contract/budget'
import type { Output } from '@boathouse/contract/call'
import type { Invoice, payment } from '@boathouse/contract/payment'
import type { usage } from '@boathouse/contract/usage'
import type { UserInfo } from '@boathouse/contract/user'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
// Loaded beforehand: the console loads them when they are needed, and the first time takes long.
import './pages/usage-route.tsx'
import './shell/shell-layout.tsx'
import { session } from '../lib/session.ts'
import type { StubHandlers } from '../testing/stub-server.ts'
import { ADA, renderApp, signedIn } from './testing/render-app.tsx'

const PAGE = '/local-1/ABC12345/admin/usage-and-billing'
const BOSS: UserInfo = { ...ADA, isOrgAdmin: true, activeRoles: ['account_admin', 'public'] }

const amount = { chargedSeconds: 5_400, ccu: '6', usd: '9.48' }
const all = { ...amount, storageUsd: '0.100000', totalUsd: '9.580000' }
const nothing = { chargedSeconds: 0, ccu: '0', usd: '0.00', storageUsd: '0.000000', totalUsd: '0.000000' }
const summary: Output<typeof usage.summary> = {
  isRoot: true,
  total: amount,
  days: [
    { ...all, date: '2026-11-01' },
    { ...nothing, date: '2026-11-02' },
  ],
  accounts: [
    { ...all, accountId: 'ABC12345', name: 'main' },
    { ...nothing, accountId: 'ABC12346', name: 'harbour' },
  ],
  warehouses: [{ ...amount, accountId: 'ABC12345', warehouseId: 'w1', name: 'etl_wh' }],
  storage: { gbMonths: '4.000000', usd: '0.100000' },
  totalUsd: '9.580000',
}
const details: Output<typeof usage.details> = {
  total: 2,
  rows: [
    {
      ...amount,
      date: '2026-11-01',
      accountId: 'ABC12345',
      account: 'main',
      warehouseId: 'w1',
      warehouse: 'etl_wh',
      size: 'Medium',
      gbMonths: null,
      price: '1.58',
    },
    {
      chargedSeconds: 0,
      ccu: '0',
      usd: '0.100000',
      date: '2026-11-01',
      accountId: 'ABC12345',
      account: 'main',
      warehouseId: null,
      warehouse: '',
      size: '',
      gbMonths: '4.000000',
      price: '0.025',
    },
  ],
}
const overview: Output<typeof payment.overview> = {
  organisation: 'Demo organisation',
  month: '2026-11',
  nextBillingAt: '2026-12-01T00:00:00.000Z',
  monthToDate: { ccu: '6', usd: '9.48' },
  forecastUsd: '31.00',
  ccuBalance: '12.500',
  paymentType: 'direct',
  discountPercent: '12.5',
  trialCredit: null,
  card: { brand: 'Visa', lastDigits: '4242', expires: '2030-12' },
  paymentEnabled: true,
  mayBindCard: true,
}
const invoice: Invoice = {
  invoiceId: '00000000-0000-4000-8000-000000000001',
  number: '2026-10-ABC12345',
  month: '2026-10',
  state: 'paid',
  closedAt: '2026-11-01T00:00:00.000Z',
  ccu: '4.000',
  usageUsd: '6.32',
  dueUsd: '6.32',
  paidAt: '2026-11-01T00:00:30.000Z',
  nextAttemptAt: null,
  problem: null,
  hasReceipt: true,
}

const parts = {
  total: amount,
  idle: { ccu: '1', usd: '1.58' },
  forgotten: { ccu: '0', usd: '0.00' },
  rounding: { ccu: '0', usd: '0.00' },
}
const people: Output<typeof usage.byUser> = {
  ...parts,
  count: 1,
  users: [{ ccu: '5', usd: '7.90', accountId: 'ABC12345', account: 'main', user: 'ada', statements: 3 }],
}
const statements: Output<typeof usage.byStatement> = {
  ...parts,
  count: 1,
  statements: [
    {
      ccu: '5',
      usd: '7.90',
      cost: { ccu: '5', usd: '7.90', seconds: 1.5, isFinal: true },
      queryId: 'q1',
      accountId: 'ABC12345',
      account: 'main',
      warehouse: 'etl_wh',
      user: 'ada',
      sql: 'select 1\n  from boats',
      startedAt: '2026-11-01T10:00:00.000Z',
      micros: 1_500_000,
    },
  ],
}
const ofOrganisation: Budget = {
  budgetId: '00000000-0000-4000-8000-0000000000b1',
  scope: 'organisation',
  accountId: null,
  accountName: null,
  warehouseId: null,
  warehouseName: null,
  usd: '100.00',
  warnPercent: 80,
  action: 'stop',
  spentUsd: '81.20',
  percent: 81,
  state: 'warned',
  mayChange: true,
}
const ofAccount: Budget = {
  ...ofOrganisation,
  budgetId: '00000000-0000-4000-8000-0000000000b2',
  scope: 'account',
  accountId: 'ABC12345',
  accountName: 'main',
  mayChange: false,
}

beforeEach(() => session.end())

function open(search = '', over: StubHandlers = {}) {
  signedIn(BOSS)
  return renderApp(PAGE + search, {
    'user.info': () => BOSS,
    'usage.summary': () => summary,
    'usage.details': () => details,
    'usage.byUser': () => people,
    'usage.byStatement': () => statements,
    'budget.list': () => ({
      isRoot: true,
      month: '2026-11',
      budgets: [ofOrganisation, ofAccount],
      unmailed: [],
    }),
    'warehouse.list': () => ({ warehouses: [] }),
    'payment.overview': () => overview,
    'payment.listInvoices': () => ({ invoices: [invoice], total: 1 }),
    'payment.invoiceFile': ({ file }) => ({
      fileName: `${file}.pdf`,
      mediaType: 'application/pdf',
      base64: 'JVBERg==',
    }),
    ...over,
  })
}

const card = async (name: string) =>
  within(await screen.findByRole('group', { name })).queryAllByText(/./)[1]?.textContent

test('the overview has the month to date, the forecast, the next billing and the balance [BILL-05, BILL-12]', async () => {
  open()
  await waitFor(async () => expect(await card('Month to date')).toBe('9.48 USD'))
  expect(await card('Forecast for November 2026')).toBe('31.00 USD')
  expect(await card('Next billing')).toBe('November 30')
  expect(await card('CCU balance')).toBe('12.500 CCU')
})

test('usage has a summary, a graph that is a table as well, and details [BILL-01, BILL-02, BILL-03, BILL-04]', async () => {
  const { user } = open('?tab=usage')
  expect(await card('Cost')).toBe('9.58 USD')
  expect(await card('Used')).toBe('6 CCU')
  const bars = await screen.findByRole('list', { name: 'Cost per day (USD)' })
  expect(within(bars).getByRole('button', { name: /November 1: 6 CCU, 9.58 USD, 1 h 30 min/ })).toBeTruthy()
  await user.click(screen.getByRole('radio', { name: 'Table' }))
  const days = screen.getByRole('table', { name: 'Cost per day (USD)' })
  expect(within(days).getByRole('row', { name: /1 h 30 min 6 9.48 0.100000 9.580000$/ })).toBeTruthy()
  const table = await screen.findByRole('table', { name: 'Details' })
  expect(
    within(table).getByRole('row', { name: '2026-11-01 main etl_wh Medium 1 h 30 min 6 CCU 1.58 9.48' }),
  ).toBeTruthy()
  expect(
    within(table).getByRole('row', { name: '2026-11-01 main Storage 4.000000 GB-months 0.025 0.100000' }),
  ).toBeTruthy()
  const accounts = screen.getByRole('table', { name: 'By account' })
  expect(within(accounts).getByRole('row', { name: 'main 1 h 30 min 6 9.48 0.100000 9.580000' })).toBeTruthy()
})

test('billing history hands out invoices, receipts and CSV [BILL-07, BILL-08, BILL-09]', async () => {
  const saved: string[] = []
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(
    this: HTMLAnchorElement,
  ) {
    saved.push(this.download)
  })
  URL.createObjectURL = () => 'blob:1'
  URL.revokeObjectURL = () => undefined
  const { user, server } = open('?tab=history')
  await user.click(await screen.findByRole('button', { name: 'Invoice of 2026-10-ABC12345' }))
  await user.click(screen.getByRole('button', { name: 'Receipt of 2026-10-ABC12345' }))
  await user.click(screen.getByRole('button', { name: 'CSV of 2026-10-ABC12345' }))
  await waitFor(() => expect(saved).toEqual(['invoice.pdf', 'receipt.pdf', 'csv.pdf']))
  expect(server.callsOf('payment.invoiceFile')).toMatchObject([
    { file: 'invoice' },
    { file: 'receipt' },
    { file: 'csv' },
  ])
  click.mockRestore()
})

test.each([
  ['direct', 'Direct billing', 'Visa'],
  ['marketplace', 'Marketplace subscription', null],
  ['contract', 'Contract', null],
] as const)(
  'payment details of %s billing [BILL-06, BILL-12, BILL-13, BILL-14, BILL-15]',
  async (type, words, brand) => {
    open('?tab=payment', {
      'payment.overview': () => ({
        ...overview,
        paymentType: type,
        card: brand === null ? null : overview.card,
        mayBindCard: brand !== null,
      }),
    })
    expect(await screen.findByText(words)).toBeTruthy()
    if (brand === null) {
      expect(screen.getByText(/No card needed/)).toBeTruthy()
      expect(screen.queryByRole('button', { name: /card/ })).toBeNull()
      return
    }
    for (const shown of [brand, '4242', '2030-12', '12.5 %']) expect(screen.getByText(shown)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Change card' })).toBeTruthy()
  },
)

test('a normal account sees its usage, and no bills [BILL-11]', async () => {
  const { server } = open('?tab=payment', { 'usage.summary': () => ({ ...summary, isRoot: false }) })
  expect(await card('Cost')).toBe('9.58 USD')
  expect(screen.queryByRole('tab')).toBeNull()
  expect(server.callsOf('payment.overview')).toEqual([])
})

test('without usage, invoices and card the page says what it is for', async () => {
  const none = { chargedSeconds: 0, ccu: '0', usd: '0.00' }
  const { user } = open('?tab=usage', {
    'usage.summary': () => ({
      ...summary,
      total: none,
      storage: { gbMonths: '0.000000', usd: '0.000000' },
      totalUsd: '0.000000',
      days: [],
      warehouses: [],
    }),
    'payment.listInvoices': () => ({ invoices: [], total: 0 }),
  })
  expect(await screen.findByText(/No usage in/)).toBeTruthy()
  await user.click(screen.getByRole('tab', { name: 'Billing history' }))
  expect(await screen.findByText('No invoices yet')).toBeTruthy()
})

test('usage is shown by user and by statement, and a name opens to its statements', async () => {
  const { user, server } = open('?tab=usage')
  const table = await screen.findByRole('table', { name: 'By user' })
  expect(within(table).getByRole('row', { name: 'ada main 3 5 7.90' })).toBeTruthy()
  expect(screen.getAllByText('Idle 1.58 USD · Total 9.48 USD')).toHaveLength(2)
  expect(await screen.findByText('select 1 from boats')).toBeTruthy()
  await user.click(within(table).getByRole('button', { name: 'ada' }))
  expect(await screen.findByRole('heading', { name: 'Statements of ada' })).toBeTruthy()
  expect(server.callsOf('usage.byStatement').at(-1)).toMatchObject({ accountId: 'ABC12345', user: 'ada' })
})

test('an invoice opens to its lines, a line to hours, an hour to statements', async () => {
  const line = {
    lineId: '00000000-0000-4000-8000-000000000011',
    accountId: 'ABC12345',
    account: 'main',
    warehouseId: '00000000-0000-4000-8000-000000000021',
    warehouse: 'etl_wh',
    month: '2026-10',
    size: 'Medium',
    chargedSeconds: 3_600,
    ccu: '4.000',
    gbMonths: null,
    price: '1.580000',
    usd: '6.320000',
    inTrial: false,
    ccuFromBalance: '0.000',
    discountPercent: '0',
  }
  const kept = {
    ...line,
    lineId: '00000000-0000-4000-8000-000000000012',
    warehouseId: null,
    gbMonths: '4.000000',
    usd: '0.100000',
    discountPercent: '12.5',
  }
  const { user, server } = open('?tab=history', {
    'payment.invoiceLines': () => ({
      usd: '6.420000',
      parts: [
        { kind: 'usage', usd: '6.420000' },
        { kind: 'discount', usd: '-0.100000' },
      ],
      total: 2,
      lines: [line, kept],
    }),
    'payment.lineHours': ({ lineId }) => {
      const isStorage = lineId === kept.lineId
      const amounts = isStorage
        ? { chargedSeconds: 0, ccu: '0.000', bytes: 2_976_000_000_000, usd: '0.100000' }
        : { chargedSeconds: 3_600, ccu: '4.000', bytes: null, usd: '6.320000' }
      return { usd: amounts.usd, total: 1, hours: [{ hour: '2026-10-03T14:00:00.000Z', ...amounts }] }
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Explain 2026-10-ABC12345' }))
  expect(await screen.findByText('-0.100000 USD')).toBeTruthy()
  expect(screen.getByText('6.32 USD')).toBeTruthy()
  expect(screen.getByText('4.000000 GB-months')).toBeTruthy()
  expect(screen.getByText('0.100000, 12.5 % discount')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'etl_wh' }))
  await user.click(await screen.findByRole('button', { name: '2026-10-03 14:00' }))
  expect(await screen.findByText('select 1 from boats')).toBeTruthy()
  expect(server.callsOf('usage.byStatement')).toMatchObject([
    { month: '2026-10', warehouseId: line.warehouseId, hour: '2026-10-03T14:00:00.000Z' },
  ])
  await user.click(screen.getByRole('button', { name: 'All items' }))
  expect(await screen.findByRole('table', { name: 'Invoice items' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Storage' }))
  const hours = await screen.findByRole('table', { name: 'Hours of this item' })
  expect(within(hours).getByRole('row', { name: /2026-10-03 14:00 .* 0.100000/ })).toBeTruthy()
})

test('administrators whom no mail about a budget reaches are named, and led to their profile', async () => {
  const { user } = open('?tab=budgets', {
    'budget.list': () => ({
      isRoot: true,
      month: '2026-11',
      budgets: [ofAccount],
      unmailed: [BOSS.user, 'grace'],
    }),
  })
  expect(await screen.findByText(/get no mail about budgets: .*, grace/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Add your mail address' }))
  expect(await screen.findByRole('dialog', { name: 'User settings' })).toBeTruthy()
})

test('budgets are listed with what was spent, set, changed and removed', async () => {
  const { user, server } = open('?tab=budgets', {
    'budget.set': () => ({ budgetId: ofOrganisation.budgetId }),
    'budget.delete': () => ({}),
  })
  const table = await screen.findByRole('table', { name: 'Budgets' })
  expect(
    within(table).getByRole('row', {
      name: /All accounts of the organisation 100.00 81.20 81 % used, warning sent Refuse new statements/,
    }),
  ).toBeTruthy()
  expect(within(table).getByRole('row', { name: /Account main .* Set in the root account/ })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Set budget' }))
  const dialog = await screen.findByRole('dialog', { name: 'Set budget' })
  await user.click(within(dialog).getByRole('button', { name: 'Save budget' }))
  expect(within(dialog).getByText('Enter an amount in USD, for example 250 or 99.50')).toBeTruthy()
  await user.type(within(dialog).getByLabelText('USD per month'), '12.5')
  await user.click(within(dialog).getByRole('button', { name: 'Save budget' }))
  await waitFor(() => expect(server.callsOf('budget.set')).toHaveLength(1))
  expect(server.callsOf('budget.set')).toEqual([{ usd: '12.5', warnPercent: 80, action: 'warn' }])
  await user.click(screen.getByRole('button', { name: 'Remove budget: All accounts of the organisation' }))
  await user.click(await screen.findByRole('button', { name: 'Remove budget' }))
  await waitFor(() =>
    expect(server.callsOf('budget.delete')).toEqual([{ budgetId: ofOrganisation.budgetId }]),
  )
})
