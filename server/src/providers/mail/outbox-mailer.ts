import type { Mailer } from './mailer.ts'

/** Without a mail server: mails stay in the database, and each is logged for the operator. */
export const createOutboxMailer = (print: (text: string) => void): Mailer => ({
  async deliver({ to, subject, link }) {
    print(`Mail to ${to}: ${subject}${link ? `\n  ${link}` : ''}`)
    return 'kept'
  },
  close: () => undefined,
})
