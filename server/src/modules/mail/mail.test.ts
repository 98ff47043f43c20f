import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createLog } from '../../kernel/log.ts'
import { createSealer, KEY_BYTES, sealingKey } from '../../kernel/sealing.ts'
import { createOutboxMailer } from '../../providers/mail/outbox-mailer.ts'
import { openSealingKeys } from '../../sealing-keys.ts'
import { MINUTES } from '../../testing/fake-clock.ts'
import { startSmtpCatcher } from '../../testing/smtp-catcher.ts'
import { startApp, type TestApp } from '../../testing/start-app.ts'
import { createMails } from './service.ts'
import { createMailStore } from './store.ts'

const FROM = 'Boathouse <no-reply@boathouse.example>'

const invitation = (accountId: string) => ({
  to: 'ada@example.com',
  accountId,
  kind: 'invitation' as const,
  details: {
    accountId,
    accountName: 'Rowing <b>club</b>',
    user: 'ada',
    invitedBy: 'admin',
    token: 'a-token-that-nobody-may-see',
  },
})

const invite = (app: TestApp): Promise<void> =>
  app.store.transaction((trx) => app.mails.write(trx, invitation(app.accountId)))

async function rowOf(app: TestApp) {
  const { rows } = await app.store.pool.query('select state, attempts, details, error, recipient from mails')
  return rows[0] as Record<string, unknown>
}

test('a mail goes to the mail server as text and HTML that say the same, with nothing to be fetched', async () => {
  const smtp = await startSmtpCatcher()
  const app = await startApp({
    BOATHOUSE_SMTP_URL: smtp.url,
    BOATHOUSE_MAIL_FROM: FROM,
    BOATHOUSE_PUBLIC_URL: 'https://boathouse.example',
  })
  await invite(app)
  await app.mails.deliverDue()
  const [mail] = await smtp.caught()
  const link = 'https://boathouse.example/setup-password?token=a-token-that-nobody-may-see'
  expect(mail).toMatchObject({
    from: { address: 'no-reply@boathouse.example', name: 'Boathouse' },
    to: [{ address: 'ada@example.com' }],
    subject: 'You are invited to the account Rowing <b>club</b>',
  })
  expect(mail?.text).toContain(link)
  expect(mail?.html).toContain(`href="${link}"`)
  expect(mail?.html).toContain('Rowing &lt;b&gt;club&lt;/b&gt;')
  expect(mail?.html).not.toMatch(/<img|src=|url\(|<link|<script/)
  expect(await rowOf(app)).toMatchObject({ state: 'sent', details: null })
})

test('a mail that was sent is not sent again', async () => {
  const smtp = await startSmtpCatcher()
  const app = await startApp({ BOATHOUSE_SMTP_URL: smtp.url, BOATHOUSE_MAIL_FROM: FROM })
  await invite(app)
  await Promise.all([app.mails.deliverDue(), app.mails.deliverDue()])
  app.clock.advance(600 * MINUTES)
  await app.mails.deliverDue()
  expect(await smtp.caught()).toHaveLength(1)
})

test('of many who look for what is due in one moment, one sends it', async () => {
  const smtp = await startSmtpCatcher()
  const app = await startApp({ BOATHOUSE_SMTP_URL: smtp.url, BOATHOUSE_MAIL_FROM: FROM })
  for (let round = 1; round <= 20; round++) {
    await invite(app)
    await Promise.all(Array.from({ length: 6 }, () => app.mails.deliverDue()))
    expect(await smtp.caught()).toHaveLength(round)
  }
})

test('without a mail server a mail stays in the outbox, and its link is logged once for the operator', async () => {
  const app = await startApp({ BOATHOUSE_PUBLIC_URL: 'https://boathouse.example' })
  await invite(app)
  await app.mails.deliverDue()
  await app.mails.deliverDue()
  expect(app.printed).toEqual([
    'Mail to ada@example.com: You are invited to the account Rowing <b>club</b>\n' +
      '  https://boathouse.example/setup-password?token=a-token-that-nobody-may-see',
  ])
  expect(await app.mails.outbox()).toMatchObject([
    {
      to: 'ada@example.com',
      state: 'kept',
      kind: 'invitation',
      text: expect.stringContaining('User name: ada'),
    },
  ])
})

test('a mail is not written when the change that it reports is rolled back', async () => {
  const app = await startApp()
  const undone = app.store.transaction(async (trx) => {
    await app.mails.write(trx, invitation(app.accountId))
    throw new Error('changed our mind')
  })
  await expect(undone).rejects.toThrow('changed our mind')
  await app.mails.deliverDue()
  expect(app.printed).toEqual([])
})

test('nobody who reads the database can use the link of a mail that waits', async () => {
  const app = await startApp()
  await invite(app)
  const { rows } = await app.store.pool.query<{ text: string }>('select mails::text as text from mails')
  expect(rows[0]?.text).not.toContain('a-token-that-nobody-may-see')
  expect(rows[0]?.text).toMatch(/v1\.[0-9a-f]{8}\./)
})

test('a mail server that is down is tried again after 1, 2, 4 minutes', async () => {
  const smtp = await startSmtpCatcher()
  const app = await startApp({ BOATHOUSE_SMTP_URL: smtp.url, BOATHOUSE_MAIL_FROM: FROM })
  smtp.state.refuses = true
  await invite(app)
  for (const minutes of [0, 1, 2]) {
    app.clock.advance(minutes * MINUTES - 1)
    await app.mails.deliverDue()
    app.clock.advance(1)
    await app.mails.deliverDue()
  }
  expect(await rowOf(app)).toMatchObject({ state: 'waiting', attempts: 3, error: /mailbox is away/ })
  smtp.state.refuses = false
  app.clock.advance(4 * MINUTES)
  await app.mails.deliverDue()
  expect(await smtp.caught()).toHaveLength(1)
})

test('after ten attempts a mail is given up, and its link is kept no longer', async () => {
  const smtp = await startSmtpCatcher()
  const app = await startApp({ BOATHOUSE_SMTP_URL: smtp.url, BOATHOUSE_MAIL_FROM: FROM })
  smtp.state.refuses = true
  await invite(app)
  for (let attempt = 0; attempt < 12; attempt++) {
    await app.mails.deliverDue()
    app.clock.advance(600 * MINUTES)
  }
  expect(await rowOf(app)).toMatchObject({ state: 'failed', attempts: 10, details: null })
})

test('a server that died while it delivered leaves the mail for the next, with the attempt used up', async () => {
  const app = await startApp()
  await invite(app)
  await app.store.pool.query(
    `update mails set attempts = 1, next_attempt_at = next_attempt_at + interval '2 minutes'`,
  )
  await app.mails.deliverDue()
  expect(app.printed).toHaveLength(0)
  app.clock.advance(2 * MINUTES)
  await app.mails.deliverDue()
  expect(app.printed).toHaveLength(1)
})

test('after a new key was put in front, mails that wait are sealed by it and can still be read', async () => {
  const app = await startApp()
  await invite(app)
  const [old] = await openSealingKeys(app.dataDir, undefined)
  const fresh = sealingKey(randomBytes(KEY_BYTES))
  const mails = createMails({
    store: createMailStore(app.store.db),
    mailer: createOutboxMailer((text) => void app.printed.push(text)),
    sealer: createSealer([fresh, old]),
    publicUrl: () => 'https://boathouse.example',
    clock: app.clock,
    log: createLog('silent'),
  })
  await mails.reseal()
  expect((await rowOf(app))['details']).toMatch(new RegExp(`^v1\\.${fresh.id}\\.`))
  expect((await mails.outbox())[0]?.text).toContain('a-token-that-nobody-may-see')
})

test('one account with very many mails does not hold up another, nor those that are about none', async () => {
  const app = await startApp()
  const { accountId } = await app.otherAccount()
  const write = (whose: string | null) =>
    app.store.transaction((trx) =>
      app.mails.write(trx, { ...invitation(app.accountId), accountId: whose, to: `of-${whose}@example.com` }),
    )
  for (let written = 0; written < 25; written++) await write(app.accountId)
  app.clock.advance(MINUTES)
  await write(accountId)
  await write(null)
  const store = createMailStore(app.store.db)
  const due = { now: app.clock.now(), nextAt: new Date(app.clock.now().getTime() + MINUTES), limit: 5 }
  const recipients = (await store.takeDue(due)).map(({ recipient }) => recipient)
  expect(recipients.toSorted()).toEqual(
    [
      ...Array.from({ length: 3 }, () => `of-${app.accountId}@example.com`),
      `of-${accountId}@example.com`,
      'of-null@example.com',
    ].toSorted(),
  )
  expect(await store.takeDue({ ...due, limit: 100 }), 'none is lost').toHaveLength(22)
})
