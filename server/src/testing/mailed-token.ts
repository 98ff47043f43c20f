import type { TestApp } from './start-app.ts'

/** Of the link in the newest mail to this address; null when there is none. */
export async function mailedToken(app: TestApp, to: string): Promise<string | null> {
  const mail = (await app.mails.outbox()).find((one) => one.to === to && one.link)
  return mail?.link === undefined ? null : new URL(mail.link).searchParams.get('token')
}

/** Kinds of all mails to this address, the newest first. */
export const mailsTo = async (app: TestApp, to: string): Promise<string[]> =>
  (await app.mails.outbox()).filter((one) => one.to === to).map((one) => one.kind)
