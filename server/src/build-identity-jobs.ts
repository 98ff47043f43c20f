import type { AccessServices } from './build-access.ts'
import type { AccountServices } from './build-accounts.ts'
import type { PrivateLinks } from './build-private-link.ts'
import type { SignInServices } from './build-sign-in.ts'
import type { Job } from './jobs/jobs.ts'
import type { Alerts } from './modules/alert/service.ts'
import type { Links } from './modules/link/service.ts'
import type { Marketplaces } from './modules/marketplace/service.ts'
import type { Mails } from './modules/mail/service.ts'
import type { SignUps } from './modules/sign-up/service.ts'

interface IdentityJobParts
  extends
    Pick<SignInServices, 'users' | 'signIns' | 'passwords' | 'sso'>,
    Pick<AccountServices, 'trials' | 'storage' | 'budgets' | 'payments' | 'accountLife'>,
    Pick<AccessServices, 'firewall'> {
  readonly mails: Mails
  readonly links: Links
  readonly signUps: SignUps
  readonly alerts: Alerts
  readonly marketplaces: Marketplaces
  readonly privateLinks: Pick<PrivateLinks, 'jobs'>
}

const SECOND_MS = 1_000
const MINUTE_MS = 60_000

/** What is done again and again for users and accounts. */
export function identityJobs(parts: IdentityJobParts): Job[] {
  const { users, signIns, passwords, sso, mails, links, signUps, firewall, alerts } = parts
  const { marketplaces, privateLinks } = parts
  const { trials, storage, budgets, payments, accountLife } = parts
  return [
    { name: 'remove ended logins', everyMs: 10 * MINUTE_MS, run: users.removeEndedLogins },
    { name: 'record sign-ins', everyMs: MINUTE_MS, run: signIns.writeAudit },
    { name: 'forget sign-ins', everyMs: 60 * MINUTE_MS, run: signIns.forgetOld },
    { name: 'mail links for passwords', everyMs: SECOND_MS, run: passwords.mailResets },
    { name: 'deliver mails', everyMs: 2 * SECOND_MS, run: mails.deliverDue },
    { name: 'pass on events to alert rules', everyMs: SECOND_MS, run: alerts.passOn },
    { name: 'deliver webhooks', everyMs: SECOND_MS, run: alerts.deliverDue },
    { name: 'forget deliveries of webhooks', everyMs: 60 * MINUTE_MS, run: alerts.forgetOld },
    { name: 'undo unconfirmed firewall changes', everyMs: SECOND_MS, run: firewall.takeBackDue },
    { name: 'forget mails', everyMs: 60 * MINUTE_MS, run: mails.forgetOld },
    { name: 'forget sign-ups', everyMs: 60 * MINUTE_MS, run: signUps.forgetWaiting },
    { name: 'forget single sign-ons', everyMs: 10 * MINUTE_MS, run: sso.forgetRequests },
    { name: 'forget links', everyMs: 60 * MINUTE_MS, run: links.forgetOld },
    { name: 'end trials', everyMs: MINUTE_MS, run: trials.advance },
    { name: 'measure storage', everyMs: MINUTE_MS, run: storage.meter },
    { name: 'look at budgets', everyMs: 5 * SECOND_MS, run: budgets.lookAtAll },
    { name: 'close months', everyMs: MINUTE_MS, run: payments.closing.closeDue },
    { name: 'meter at the marketplace', everyMs: 5 * MINUTE_MS, run: marketplaces.makeRecords },
    { name: 'send records to the marketplace', everyMs: 10 * SECOND_MS, run: marketplaces.sendDue },
    { name: 'charge invoices', everyMs: MINUTE_MS, run: () => payments.charging.chargeDue() },
    { name: 'resume paid accounts', everyMs: 10 * SECOND_MS, run: payments.charging.resumePaid },
    { name: 'forget payment events', everyMs: 60 * MINUTE_MS, run: async () => payments.events?.forgetOld() },
    { name: 'follow cards', everyMs: 30 * SECOND_MS, run: payments.cards.followAll },
    { name: 'detach replaced cards', everyMs: MINUTE_MS, run: payments.cards.detachReplaced },
    { name: 'advance accounts', everyMs: 5 * SECOND_MS, run: accountLife.advance },
    ...privateLinks.jobs,
  ]
}
