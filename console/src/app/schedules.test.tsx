import type { RunDelivery, Schedule, ScheduleRun } from '@boathouse/contract/schedule'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
// Loaded beforehand: the console loads it when it is needed, and the first time takes long.
import './pages/schedules-route.tsx'
import './shell/shell-layout.tsx'
import { session } from '../lib/session.ts'
import { refuse, type StubHandlers } from '../testing/stub-server.ts'
import { ADA, renderApp, signedIn } from './testing/render-app.tsx'

const SCHEDULE: Schedule = {
  scheduleId: '7f9c0a52-5a5e-4e0e-9b5b-0b1c2d3e4f50',
  tabId: '7f9c0a52-5a5e-4e0e-9b5b-0b1c2d3e4f51',
  queryName: 'tides',
  owner: ADA.user,
  isOwn: true,
  cron: '0 9 * * 1',
  timeZone: 'Europe/Berlin',
  warehouseId: null,
  paused: false,
  nextRunAt: '2026-03-02T08:00:00.000Z',
  lastRun: null,
  condition: null,
  quietMinutes: 0,
  users: [],
  url: '',
}

beforeEach(() => session.end())

function open(handlers: StubHandlers = {}) {
  signedIn(ADA)
  return renderApp('/local-1/ABC12345/activity/schedules', {
    'user.info': () => ADA,
    'schedule.list': () => ({ schedules: [SCHEDULE] }),
    ...handlers,
  })
}

const table = async () => within(await screen.findByRole('table', { name: 'Schedules' }))
const openMenu = async ({ user }: ReturnType<typeof open>) => {
  await table()
  await user.click(screen.getByRole('button', { name: 'Actions for the schedule of tides' }))
}

test('a schedule says in words when it runs, and leads to its query', async () => {
  open()
  const list = await table()
  expect(list.getByText('Every Monday at 09:00 · Europe/Berlin')).toBeTruthy()
  expect(list.getByText('Not run yet')).toBeTruthy()
  expect(list.getByRole('link', { name: 'tides' }).getAttribute('href')).toContain(SCHEDULE.tabId)
  expect(screen.queryByRole('columnheader', { name: 'Owner' })).toBeNull()
})

test('schedules that cannot be loaded say so, and are asked for again', async () => {
  let asked = 0
  const app = open({
    'schedule.list': () =>
      asked++ === 0 ? refuse('Unavailable', 'The database is away.') : { schedules: [] },
  })
  expect(await screen.findByText('The schedules could not be loaded')).toBeTruthy()
  await app.user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('No schedules yet')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Open SQL editor' })).toBeTruthy()
})

test('of a schedule of somebody else, only pausing and deleting is offered', async () => {
  const app = open({
    'schedule.list': () => ({ schedules: [{ ...SCHEDULE, owner: 'grace', isOwn: false }] }),
  })
  await openMenu(app)
  const entries = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)
  expect(entries).toEqual(['Pause', 'Delete schedule'])
  const list = await table()
  expect(list.getByText('grace')).toBeTruthy()
  expect(list.queryByRole('link', { name: 'tides' })).toBeNull()
})

test('a refusal of the service is shown in the form, and nothing typed is lost', async () => {
  const app = open({
    'schedule.find': () => ({ schedule: SCHEDULE }),
    'schedule.save': () => refuse('BadInput', 'The parameter least has no value.'),
    'warehouse.list': () => ({ warehouses: [] }),
    'editor.sharePartners': () => ({
      list: [
        { kind: 'user', name: ADA.user },
        { kind: 'user', name: 'grace' },
        { kind: 'role', name: 'crew' },
      ],
    }),
  })
  await openMenu(app)
  await app.user.click(await screen.findByRole('menuitem', { name: 'Edit schedule' }))
  const form = within(await screen.findByRole('dialog', { name: 'Schedule tides' }))
  await app.user.click(await form.findByLabelText('Notify also'))
  const offered = await screen.findAllByRole('option')
  expect(offered.map(({ textContent }) => textContent)).toEqual(['grace'])
  await app.user.click(screen.getByRole('option', { name: 'grace' }))
  expect(form.queryByLabelText('Webhook URL'), 'for account administrators alone').toBeNull()
  await app.user.click(form.getByRole('button', { name: 'Save schedule' }))
  expect(await form.findByText('The parameter least has no value.')).toBeTruthy()
  expect(app.server.callsOf('schedule.save')).toEqual([
    expect.objectContaining({
      cron: '0 9 * * 1',
      timeZone: 'Europe/Berlin',
      users: ['grace'],
      condition: null,
    }),
  ])
  const notified = within(form.getByRole('list', { name: 'Notified beside you' }))
  await app.user.click(notified.getByRole('button', { name: 'Do not notify grace' }))
  expect(form.queryByRole('list', { name: 'Notified beside you' })).toBeNull()

  // What was typed and not chosen is either somebody by their whole name, or kept from being saved as nobody.
  const people = form.getByLabelText('Notify also')
  await app.user.type(people, 'ghost')
  await app.user.click(form.getByRole('button', { name: 'Save schedule' }))
  expect(await form.findByText(/“ghost” is not among the users found/)).toBeTruthy()
  expect(app.server.callsOf('schedule.save')).toHaveLength(1)
  await app.user.type(people, 'Grace')
  await app.user.tab()
  expect(await form.findByRole('button', { name: 'Do not notify grace' })).toBeTruthy()
  await app.user.click(form.getByRole('button', { name: 'Save schedule' }))
  await waitFor(() => expect(app.server.callsOf('schedule.save')).toHaveLength(2))
  expect(app.server.callsOf('schedule.save')[1]).toMatchObject({ users: ['grace'] })
})

test('what a webhook did not receive is said in the list and in the runs, and is sent again', async () => {
  const SENT: RunDelivery = {
    deliveryId: '7f9c0a52-5a5e-4e0e-9b5b-0b1c2d3e4f70',
    state: 'failed',
    attempts: 11,
    nextAttemptAt: null,
    error: 'It answers with the status 500.',
  }
  const RUN: ScheduleRun = {
    runId: '7f9c0a52-5a5e-4e0e-9b5b-0b1c2d3e4f60',
    dueAt: '2026-03-02T08:00:00.000Z',
    state: 'success',
    queryId: 'q1',
    rows: 3,
    error: '',
    met: true,
    notified: true,
    delivery: SENT,
    createdAt: '2026-03-02T08:00:00.000Z',
    endedAt: '2026-03-02T08:00:01.000Z',
  }
  const administrator = { ...ADA, activeRoles: [...ADA.activeRoles, 'account_admin'] }
  let run = RUN
  const app = open({
    'user.info': () => administrator,
    'schedule.list': () => ({ schedules: [{ ...SCHEDULE, lastRun: run }] }),
    'schedule.runs': () => ({ runs: [run], total: 1 }),
    'alert.redeliver': () => {
      run = { ...RUN, delivery: { ...SENT, state: 'delivered', error: '' } }
      const { deliveryId, attempts } = SENT
      return {
        delivery: {
          deliveryId,
          attempts,
          ruleId: SCHEDULE.scheduleId,
          event: 'schedule.condition',
          state: 'waiting',
          mailedTo: 0,
          createdAt: RUN.createdAt,
          endedAt: null,
          nextAttemptAt: RUN.createdAt,
          status: 500,
          answer: '',
          error: SENT.error,
          body: '{}',
        },
      }
    },
  })
  expect((await table()).getByText('Webhook failed')).toBeTruthy()
  await app.user.click(screen.getByRole('button', { name: 'Runs' }))
  const runs = within(await screen.findByRole('dialog', { name: 'Runs of tides' }))
  expect(await runs.findByText('Webhook failed 11 times, no further attempt')).toBeTruthy()
  expect(runs.getByText('It answers with the status 500.')).toBeTruthy()
  await app.user.click(runs.getByRole('button', { name: /^Send the notification of .* again$/ }))
  expect(await runs.findByText('Webhook delivered')).toBeTruthy()
  expect(runs.queryByRole('button', { name: /^Send the notification/ })).toBeNull()
  expect(app.server.callsOf('alert.redeliver')).toEqual([{ deliveryId: SENT.deliveryId }])
})
