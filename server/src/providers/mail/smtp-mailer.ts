import { isIP } from 'node:net'
import { createTransport } from 'nodemailer'
import type { Mailer } from './mailer.ts'

const CONNECT_MS = 10_000
const SILENCE_MS = 30_000

/** Credentials and links are sent unencrypted only within this machine. */
const isThisMachine = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'))

/** @param options.url As in `smtps://user:password@mail.example.com:465`; `smtp://` begins TLS after the greeting. */
export function createSmtpMailer({ url, from }: { url: string; from: string }): Mailer {
  const { protocol, hostname, port, username, password } = new URL(url)
  const secure = protocol === 'smtps:'
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port ? Number(port) : secure ? 465 : 587,
    secure,
    requireTLS: !secure && !isThisMachine(hostname),
    ...(username ? { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } } : {}),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    // A mail holds only what we wrote: nothing is fetched for it.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = /@([^\s>]+)>?$/.exec(from)?.[1] ?? hostname

  return {
    async deliver({ id, to, subject, text, html }) {
      await transport.sendMail({
        messageId: `<${id}@${domain}>`,
        from,
        to: { name: '', address: to },
        subject,
        text,
        html,
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
      return 'sent'
    },
    close: () => transport.close(),
  }
}
