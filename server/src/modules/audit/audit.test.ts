import { expect, test } from 'vitest'
import { freshStore } from '../../testing/leased-store.ts'
import { whileOtherWrites } from '../../testing/locked-out.ts'
import { OPERATOR } from './author.ts'
import { canonicalJson } from './canonical-json.ts'
import { createChainCheck, NO_ENTRY } from './chain-check.ts'
import { type AuditEvent, recordAudit } from './record.ts'
import { entriesOf, verifyAudit } from './verify.ts'

const store = await freshStore()
const { db } = store
let accounts = 0
const newAccount = () => `AUD${String(++accounts).padStart(5, '0')}`

const event = (accountId: string, more: Partial<AuditEvent> = {}): AuditEvent => ({
  accountId,
  at: new Date('2026-03-01T09:00:00Z'),
  by: OPERATOR,
  action: 'boat.launch',
  object: { type: 'boat', id: 'b1', name: 'Argo' },
  before: { afloat: false },
  after: { afloat: true },
  ...more,
})

const record = (accountId: string, more?: Partial<AuditEvent>) =>
  store.transaction((trx) => recordAudit(trx, event(accountId, more)))

const textsOf = async (accountId: string): Promise<string[]> => {
  const texts: string[] = []
  for await (const text of entriesOf(db, accountId, { after: 0, until: 1e6 })) texts.push(text)
  return texts
}

/** As somebody would who has the database itself. */
async function tamper(statement: string): Promise<void> {
  await store.pool.query('alter table audit_entries disable trigger user')
  await store.pool.query(statement)
  await store.pool.query('alter table audit_entries enable trigger user')
}

test('an entry says who, from where, what, before and after, and names the entry before it', async () => {
  const account = newAccount()
  await record(account)
  await record(account, { action: 'boat.sink', before: { afloat: true }, after: null })
  const [first = '', second = ''] = await textsOf(account)
  expect(JSON.parse(first)).toEqual({
    account,
    number: 1,
    previous: NO_ENTRY,
    at: '2026-03-01T09:00:00.000Z',
    by: { kind: 'operator', name: 'operator', userId: null, accountId: null, clientIp: null },
    action: 'boat.launch',
    object: { type: 'boat', id: 'b1', name: 'Argo' },
    before: { afloat: false },
    after: { afloat: true },
  })
  const check = createChainCheck(account)
  check.add(first)
  expect(JSON.parse(second)).toMatchObject({ number: 2, previous: check.verdict().head, after: null })
})

test('a change that is rolled back leaves no entry, and the next one has its number', async () => {
  const account = newAccount()
  await record(account)
  await expect(
    store.transaction(async (trx) => {
      await recordAudit(trx, event(account))
      throw new Error('changed my mind')
    }),
  ).rejects.toThrow('changed my mind')
  await record(account)
  expect((await textsOf(account)).map((text) => (JSON.parse(text) as { number: number }).number)).toEqual([
    1, 2,
  ])
  expect((await verifyAudit(db, account))[0]?.problem).toBeNull()
})

test('entries written at the same moment follow one another; those of another account do not wait', async () => {
  const [account, other] = [newAccount(), newAccount()]
  await record(account)
  await whileOtherWrites(
    store.pool,
    [`update audit_chains set entries = entries where account_id = '${account}'`],
    async () => {
      await record(other)
      await Promise.all(Array.from({ length: 5 }, () => record(account)))
    },
  )
  expect(await verifyAudit(db, account)).toMatchObject([{ entries: 6, problem: null }])
  expect(await verifyAudit(db, other)).toMatchObject([{ entries: 1, problem: null }])
})

test('the database refuses to change or delete an entry', async () => {
  const account = newAccount()
  await record(account)
  for (const statement of [
    `update audit_entries set entry = entry where account_id = '${account}'`,
    `delete from audit_entries where account_id = '${account}'`,
    'truncate audit_entries',
  ])
    await expect(store.pool.query(statement)).rejects.toThrow('never changed')
})

test.each([
  [
    'changed',
    (account: string) =>
      `update audit_entries set entry = replace(entry, 'Argo', 'Ogra') where account_id = '${account}' and number = 2`,
    'Entry 3 does not follow the entry before it: one of the two was changed.',
  ],
  [
    'the last one changed',
    (account: string) =>
      `update audit_entries set entry = replace(entry, 'Argo', 'Ogra') where account_id = '${account}' and number = 3`,
    'Entry 3 was changed.',
  ],
  [
    'deleted',
    (account: string) => `delete from audit_entries where account_id = '${account}' and number = 2`,
    'Entry 2 says that it is entry 3.',
  ],
  [
    'the last one deleted',
    (account: string) => `delete from audit_entries where account_id = '${account}' and number = 3`,
    'The last 1 entries are missing.',
  ],
])('an entry that was tampered with is found: %s', async (_what, statement, problem) => {
  const account = newAccount()
  for (let i = 0; i < 3; i++) await record(account)
  await tamper(statement(account))
  expect((await verifyAudit(db, account)).map((verdict) => verdict.problem)).toEqual([problem])
})

test('long logs are read page by page, and a copy is verified by its texts alone', async () => {
  const account = newAccount()
  await store.transaction(async (trx) => {
    for (let i = 0; i < 501; i++) await recordAudit(trx, event(account))
  })
  const check = createChainCheck(account)
  for (const text of await textsOf(account)) check.add(text)
  const [verdict] = await verifyAudit(db, account)
  expect(check.verdict()).toEqual({ ...verdict, entries: 501, problem: null })
})

test('one value has one text, and secrets are not in it', () => {
  expect(canonicalJson({ b: [2, { d: 1, c: null }], a: 'x', e: undefined })).toBe(
    canonicalJson({ a: 'x', b: [2, { c: null, d: 1 }] }),
  )
  expect(canonicalJson({ passwordHash: 'argon', half: '\ud800' })).toBe('{"half":"�","passwordHash":"***"}')
})
