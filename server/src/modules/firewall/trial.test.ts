import { CHANNEL_CLOSE, CODES, firewall, LIMITS, user } from '@boathouse/contract'
import { expect, test } from 'vitest'
import {
  AT_OFFICE,
  callFrom,
  ELSEWHERE,
  letInOffice,
  OFFICE,
  startFirewallApp,
} from '../../testing/firewall-kit.ts'
import { createFirewall } from './service.ts'

const OK = CODES.Ok.code
const BLOCKED = CODES.IpBlocked.code

/** A rule for the office, made by somebody who is not there. */
async function cutOff() {
  const { app, guard } = await startFirewallApp()
  const at = (address: string) => ({ app, token: guard.token, address })
  const made = await callFrom(at(ELSEWHERE), firewall.createRule, {
    name: 'Office',
    addresses: OFFICE,
    enabled: true,
  })
  const rules = async (address: string) => (await callFrom(at(address), firewall.rules, {})).data
  return { app, guard, at, made, rules }
}

const actions = async (app: Awaited<ReturnType<typeof cutOff>>['app']) => {
  const rows = await app.store.db.selectFrom('audit_entries').select('entry').orderBy('number').execute()
  return rows
    .map(({ entry }) => JSON.parse(entry) as { action: string; by: { name: string } })
    .filter(({ action }) => action.startsWith('firewall.'))
    .map(({ action, by }) => [action, by.name])
}

test('a change that cuts off its author applies for 60 s, and is reverted when nobody confirms it [SEC-14]', async () => {
  const { app, guard, at, made, rules } = await cutOff()
  expect(made.data.trial).toEqual({
    leftMs: 60_000,
    ruleName: 'Office',
    user: guard.name,
    clientIp: ELSEWHERE,
  })
  expect((await callFrom(at(ELSEWHERE), user.info, {})).code).toBe(BLOCKED)
  app.clock.advance(LIMITS.firewallTrialMs - 1)
  await app.firewall.takeBackDue()
  expect((await rules(AT_OFFICE)).trial).toMatchObject({ leftMs: 1 })
  expect((await callFrom(at(ELSEWHERE), user.info, {})).code).toBe(BLOCKED)
  app.clock.advance(1)
  await app.firewall.takeBackDue()
  expect(await rules(ELSEWHERE)).toEqual({
    clientIp: ELSEWHERE,
    privateEndpoint: null,
    rules: [],
    trial: null,
  })
  expect(await actions(app)).toEqual([
    ['firewall.create', guard.name],
    ['firewall.takeBack', 'service'],
  ])
})

test('it is reverted by a server that has just been started, too', async () => {
  const { app, rules } = await cutOff()
  app.clock.advance(LIMITS.firewallTrialMs)
  const { db, transaction } = app.store
  await createFirewall({ db, transaction, clock: app.clock, onChanged: () => undefined }).takeBackDue()
  expect((await rules(ELSEWHERE)).rules).toEqual([])
})

test('confirmed from an allowed address, it stays', async () => {
  const { app, guard, at, rules } = await cutOff()
  expect((await callFrom(at(ELSEWHERE), firewall.confirmChange, {})).code).toBe(BLOCKED)
  expect((await callFrom(at(AT_OFFICE), firewall.confirmChange, {})).code).toBe(OK)
  app.clock.advance(2 * LIMITS.firewallTrialMs)
  await app.firewall.takeBackDue()
  expect(await rules(AT_OFFICE)).toMatchObject({ rules: [{ name: 'Office', enabled: true }], trial: null })
  expect((await callFrom(at(ELSEWHERE), user.info, {})).code).toBe(BLOCKED)
  expect(await actions(app)).toEqual([
    ['firewall.create', guard.name],
    ['firewall.confirm', guard.name],
  ])
})

test('when its time is over it cannot be confirmed any more', async () => {
  const { app, at } = await cutOff()
  app.clock.advance(LIMITS.firewallTrialMs)
  expect((await callFrom(at(AT_OFFICE), firewall.confirmChange, {})).code).toBe(CODES.NotFound.code)
})

test('a user with access reverts it at once, and channels that it would have ended can be opened again', async () => {
  const { app, at, guard, rules } = await cutOff()
  expect((await callFrom(at(AT_OFFICE), firewall.takeBackChange, {})).code).toBe(OK)
  expect((await rules(ELSEWHERE)).rules).toEqual([])
  const channel = await guard.channel()
  expect((await channel.run('SELECT 1'))[0]?.errMsg).toBe('')
  expect(await actions(app)).toEqual([
    ['firewall.create', guard.name],
    ['firewall.takeBack', guard.name],
  ])
})

test('during a trial nothing else is changed', async () => {
  const { at, made } = await cutOff()
  const { ruleId } = made.data
  const other = { name: 'Home', addresses: '10.0.0.1', enabled: true }
  const office = at(AT_OFFICE)
  expect((await callFrom(office, firewall.createRule, other)).code).toBe(CODES.Conflict.code)
  expect((await callFrom(office, firewall.updateRule, { ruleId, enabled: false })).code).toBe(
    CODES.Conflict.code,
  )
  expect((await callFrom(office, firewall.deleteRule, { ruleId })).code).toBe(CODES.Conflict.code)
})

test.each(['updateRule', 'deleteRule'] as const)('of %s, the rule is again what it was', async (change) => {
  const { app, guard } = await startFirewallApp()
  const { ruleId } = (await letInOffice(app, guard)).data
  const office = { app, token: guard.token, address: AT_OFFICE }
  const home = { app, token: guard.token, address: ELSEWHERE }
  await callFrom(office, firewall.createRule, { name: 'Home', addresses: ELSEWHERE, enabled: true })
  const before = (await callFrom(home, firewall.rules, {})).data.rules
  const { data } =
    change === 'updateRule'
      ? await callFrom(office, firewall.updateRule, { ruleId, addresses: '10.0.0.1' })
      : await callFrom(office, firewall.deleteRule, { ruleId })
  expect(data.trial).toMatchObject({ leftMs: 60_000, ruleName: 'Office' })
  expect((await callFrom(office, user.info, {})).code).toBe(BLOCKED)
  app.clock.advance(LIMITS.firewallTrialMs)
  await app.firewall.takeBackDue()
  expect((await callFrom(office, firewall.rules, {})).data).toMatchObject({ rules: before, trial: null })
})

test('a change after which its author has access applies at once', async () => {
  const { app, guard } = await startFirewallApp()
  const made = await letInOffice(app, guard)
  expect(made.data.trial).toBeNull()
  app.clock.advance(2 * LIMITS.firewallTrialMs)
  await app.firewall.takeBackDue()
  const office = { app, token: guard.token, address: AT_OFFICE }
  expect((await callFrom(office, firewall.rules, {})).data.rules).toHaveLength(1)
})

test('the operator ends a trial with the rules', async () => {
  const { app, rules } = await cutOff()
  await app.operator('firewall off', { account: app.accountId })
  app.clock.advance(2 * LIMITS.firewallTrialMs)
  await app.firewall.takeBackDue()
  expect(await rules(ELSEWHERE)).toMatchObject({ rules: [{ name: 'Office', enabled: false }], trial: null })
})

test('channels of who is cut off end with the change', async () => {
  const { guard } = await startFirewallApp()
  const channel = await guard.channel()
  await guard.call(firewall.createRule, { name: 'Office', addresses: OFFICE, enabled: true })
  expect((await channel.closed).code).toBe(CHANNEL_CLOSE.IpBlocked)
  expect((await guard.call(user.info, {})).code).toBe(BLOCKED)
})
