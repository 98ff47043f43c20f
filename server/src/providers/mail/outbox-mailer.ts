import type { Mailer } from './mailer.ts'

/** Where there is no mail server: mails stay in the database, and whoever runs the service is told of each. */
export const createOutboxMailer = (tell: (text: string) => void): Mailer => ({
  async deliver({ to, subject, link }) {
    tell(`Mail to ${to}: ${subject}${link ? `\n  ${link}` : ''}`)
    return 'kept'
  },
  close: () => undefined,
})
