import type { TestApp } from './start-app.ts'

/** With what a job writes a moment later. */
async function outbox(app: TestApp) {
  await app.passwords.mailResets()
  return app.mails.outbox()
}

/** Of the link in the newest mail to this address; null when there is none. */
export async function mailedToken(app: TestApp, to: string): Promise<string | null> {
  const mail = (await outbox(app)).find((one) => one.to === to && one.link)
  return mail?.link === undefined ? null : new URL(mail.link).searchParams.get('token')
}

/** Kinds of all mails to this address, the newest first. */
export const mailsTo = async (app: TestApp, to: string): Promise<string[]> =>
  (await outbox(app)).filter((one) => one.to === to).map((one) => one.kind)
