import { CODES, firewall, LIMITS } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { AT_OFFICE, callFrom, OFFICE, startFirewallApp } from '../../testing/firewall-kit.ts'
import { whileOtherWrites } from '../../testing/locked-out.ts'
import { sharedApp, startApp, type TestApp } from '../../testing/start-app.ts'
import { createFirewallGate } from './gate.ts'

const OK = CODES.Ok.code
const shared = sharedApp()
const DISABLED = { name: 'Office', addresses: OFFICE, enabled: false }
const NOWHERE = '00000000-0000-4000-8000-000000000000'

const audited = async (app: TestApp) => {
  const rows = await app.store.db.selectFrom('audit_entries').select('entry').orderBy('number').execute()
  return rows
    .map(({ entry }) => JSON.parse(entry) as { action: string; before: unknown; after: unknown })
    .filter(({ action }) => action.startsWith('firewall.'))
}

test('a rule has name, type, addresses and whether it is enabled; each change is in the audit log [SEC-04, SEC-05]', async () => {
  const app = await startApp()
  const guard = await app.user(['security_admin'])
  const made = await guard.call(firewall.createRule, DISABLED)
  expect(made).toMatchObject({ code: OK, data: { trial: null } })
  const { ruleId } = made.data
  const rules = async () => (await guard.call(firewall.rules, {})).data.rules
  expect(await rules()).toEqual([{ ruleId, type: 'all', ...DISABLED }])
  const addresses = '127.0.0.1,10.0.0.0/8'
  expect((await guard.call(firewall.updateRule, { ruleId, addresses, enabled: true })).code).toBe(OK)
  expect(await rules()).toEqual([{ ruleId, type: 'all', name: 'Office', addresses, enabled: true }])
  expect((await guard.call(firewall.deleteRule, { ruleId })).code).toBe(OK)
  expect(await rules()).toEqual([])
  expect((await audited(app)).map(({ action, before, after }) => [action, before, after])).toEqual([
    ['firewall.create', null, { type: 'all', ...DISABLED }],
    [
      'firewall.update',
      { type: 'all', ...DISABLED },
      { name: 'Office', type: 'all', addresses, enabled: true },
    ],
    ['firewall.delete', { name: 'Office', type: 'all', addresses, enabled: true }, null],
  ])
})

test('users see their own address as the service sees it [SEC-06, SEC-07]', async () => {
  const { app, guard } = await startFirewallApp()
  const own = async (address: string) =>
    (await callFrom({ app, token: guard.token, address }, firewall.rules, {})).data.clientIp
  expect(await own(AT_OFFICE)).toBe(AT_OFFICE)
  expect(await own(`::ffff:${AT_OFFICE}`)).toBe(AT_OFFICE)
  expect(await own('2001:db8::7')).toBe('2001:db8::7')
})

test.each([
  ['an empty name', { name: ' ' }, 'name: Enter rule name'],
  ['an empty list', { addresses: '' }, 'addresses: Enter valid IPV4 addresses'],
  ['a list by semicolons', { addresses: '10.0.0.1;10.0.0.2' }, 'addresses: Enter valid IPV4 addresses'],
  ['a prefix above 32', { addresses: '10.0.0.0/33' }, 'addresses: Enter valid IPV4 addresses'],
  [
    'a long list',
    { addresses: `${'10.0.0.1,'.repeat(111)}10.0.0.1` },
    'addresses: The maximum length is 999',
  ],
])('%s is refused [SEC-08, SEC-09, SEC-11, SEC-12]', async (_, part, message) => {
  const draft = { ...DISABLED, ...part }
  const app = await shared()
  const guard = await app.user(['security_admin'])
  expect(await guard.call(firewall.createRule, draft)).toMatchObject({ code: CODES.BadInput.code, message })
})

test('a change to ranges that do not exist is refused too [SEC-11]', async () => {
  const app = await startApp()
  const guard = await app.user(['security_admin'])
  const { ruleId } = (await guard.call(firewall.createRule, DISABLED)).data
  const refused = await guard.call(firewall.updateRule, { ruleId, addresses: '10.0.0.0/39' })
  expect(refused).toMatchObject({
    code: CODES.BadInput.code,
    message: 'addresses: Enter valid IPV4 addresses',
  })
})

test('without the role nothing is shown or changed', async () => {
  const app = await shared()
  const reader = await app.user(['db_admin'])
  const answers = [
    reader.call(firewall.rules, {}),
    reader.call(firewall.createRule, DISABLED),
    reader.call(firewall.updateRule, { ruleId: NOWHERE }),
    reader.call(firewall.deleteRule, { ruleId: NOWHERE }),
    reader.call(firewall.confirmChange, {}),
    reader.call(firewall.takeBackChange, {}),
  ]
  for (const { code } of await Promise.all(answers)) expect(code).toBe(CODES.NoPermission.code)
})

test('a rule of another account is not there; nor is a change that waits, when none does', async () => {
  const app = await startApp()
  const guard = await app.user(['security_admin'])
  const stranger = await app.stranger(['security_admin'])
  const { ruleId } = (await stranger.call(firewall.createRule, DISABLED)).data
  const answers = [
    guard.call(firewall.updateRule, { ruleId, enabled: true }),
    guard.call(firewall.deleteRule, { ruleId }),
    guard.call(firewall.confirmChange, {}),
    guard.call(firewall.takeBackChange, {}),
  ]
  for (const { code } of await Promise.all(answers)) expect(code).toBe(CODES.NotFound.code)
  expect((await stranger.call(firewall.rules, {})).data.rules).toMatchObject([DISABLED])
})

test('two rules of an account do not have the same name', async () => {
  const app = await startApp()
  const guard = await app.user(['security_admin'])
  await guard.call(firewall.createRule, DISABLED)
  const taken = await guard.call(firewall.createRule, { ...DISABLED, name: 'OFFICE' })
  expect(taken.code).toBe(CODES.NameTaken.code)
  const { ruleId } = (await guard.call(firewall.createRule, { ...DISABLED, name: 'Home' })).data
  expect((await guard.call(firewall.updateRule, { ruleId, name: 'office' })).code).toBe(CODES.NameTaken.code)
  expect((await guard.call(firewall.updateRule, { ruleId, name: 'HOME' })).code).toBe(OK)
})

test('an account has 100 rules, and of two at once one is the last', async () => {
  const app = await startApp()
  const guard = await app.user(['security_admin'])
  await app.store.pool.query(
    `insert into firewall_rules
     select gen_random_uuid(), $1, 'rule ' || i, 'all', '10.0.0.1', false, now() from generate_series(2, $2::int) i`,
    [app.accountId, LIMITS.firewallRulesPerAccount],
  )
  const create = (name: string) => guard.call(firewall.createRule, { ...DISABLED, name })
  const lock = `select pg_advisory_xact_lock(hashtextextended('firewall ${app.accountId}', 0))`
  const answers = await whileOtherWrites(app.store.pool, [lock], () =>
    Promise.all([create('one'), create('other')]),
  )
  const codes = answers.map(({ code }) => code)
  expect(new Set(codes)).toEqual(new Set([OK, CODES.LimitReached.code]))
})

test('rules are loaded once for each version of the account', async () => {
  const app = await startApp()
  const requireLetIn = createFirewallGate(app.store.db, () => null)
  const arrival = { accountId: app.accountId, clientIp: AT_OFFICE }
  const write = (sql: string) => app.store.pool.query(sql, [app.accountId])
  await write(
    `insert into firewall_rules values (gen_random_uuid(), $1, 'a', 'all', '10.0.0.1', true, now())`,
  )
  await expect(requireLetIn({ ...arrival, identityVersion: 7 })).rejects.toThrow(AT_OFFICE)
  await write('delete from firewall_rules where account_id = $1')
  await expect(requireLetIn({ ...arrival, identityVersion: 7 })).rejects.toThrow(AT_OFFICE)
  await requireLetIn({ ...arrival, identityVersion: 8 })
  await requireLetIn(arrival)
})

test('every change of rules raises that version', async () => {
  const app = await startApp()
  const guard = await app.user(['security_admin'])
  const version = async () => {
    const { version } = await app.store.db
      .selectFrom('identity_versions')
      .select('version')
      .where('account_id', '=', app.accountId)
      .executeTakeFirstOrThrow()
    return version
  }
  const versions = [await version()]
  const { ruleId } = (await guard.call(firewall.createRule, DISABLED)).data
  versions.push(await version())
  await guard.call(firewall.updateRule, { ruleId, addresses: '10.0.0.1' })
  versions.push(await version())
  await guard.call(firewall.deleteRule, { ruleId })
  versions.push(await version())
  expect(new Set(versions).size).toBe(4)
})
