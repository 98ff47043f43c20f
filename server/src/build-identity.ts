import type { Sealer } from './kernel/sealing.ts'
import type { Authority } from './modules/access/authority.ts'
import { accessCalls } from './modules/access/calls.ts'
import type { ObjectLookup } from './modules/access/grants.ts'
import { createAccess } from './modules/access/service.ts'
import { auditCalls } from './modules/audit/calls.ts'
import { createAuditLog } from './modules/audit/service.ts'
import { budgetCalls } from './modules/budget/calls.ts'
import { createBudgets } from './modules/budget/service.ts'
import { firewallCalls } from './modules/firewall/calls.ts'
import { createFirewallGate } from './modules/firewall/gate.ts'
import { createFirewall } from './modules/firewall/service.ts'
import { createLinks } from './modules/link/service.ts'
import { acceptedAddress } from './modules/mail/accepted-address.ts'
import { createMails } from './modules/mail/service.ts'
import { createMailStore } from './modules/mail/store.ts'
import { createMessages } from './modules/message/service.ts'
import { createOperator } from './modules/operator/commands.ts'
import { createOperatorPeople } from './modules/operator/people.ts'
import { orgCalls } from './modules/org/calls.ts'
import { createAccountLife } from './modules/org/life.ts'
import { createOrgs } from './modules/org/service.ts'
import { createTrials } from './modules/org/trials.ts'
import { paymentCalls } from './modules/payment/calls.ts'
import { createPrinter } from './modules/payment/printing/printer.ts'
import { createPayments } from './modules/payment/service.ts'
import { quotaCalls } from './modules/quota/calls.ts'
import { createQuotas } from './modules/quota/service.ts'
import { signUpHandlers } from './modules/sign-up/calls.ts'
import { createSignUps } from './modules/sign-up/service.ts'
import { createSignUpStore } from './modules/sign-up/store.ts'
import { createStorage } from './modules/storage/service.ts'
import { ISSUER_FAILS_AFTER_MS } from './modules/sso/asking.ts'
import { ssoCalls } from './modules/sso/calls.ts'
import { createSso } from './modules/sso/service.ts'
import { createSsoStore } from './modules/sso/store.ts'
import { announcementsOfChange } from './modules/user/identity-changes.ts'
import { usageCalls } from './modules/usage/calls.ts'
import { createUsage } from './modules/usage/service.ts'
import { createAddresses } from './modules/user/addresses.ts'
import { userCalls } from './modules/user/calls.ts'
import { createLogins } from './modules/user/logins.ts'
import { passwordRule } from './modules/user/password-rule.ts'
import { createPlainSignIn } from './modules/user/plain-sign-in.ts'
import { createPasswords } from './modules/user/password-service.ts'
import { createUsers } from './modules/user/service.ts'
import { createSignIns } from './modules/user/sign-ins.ts'
import { createSignInStore } from './modules/user/sign-in-store.ts'
import { createUserStore } from './modules/user/store.ts'
import { vpceCalls } from './modules/vpce/calls.ts'
import { createVpcEndpoints } from './modules/vpce/service.ts'
import { paymentProviderOf } from './build-payment-provider.ts'
import { createOutboxMailer } from './providers/mail/outbox-mailer.ts'
import { localMarketplace, noMarketplace } from './providers/marketplace/local-marketplace.ts'
import { createSmtpMailer } from './providers/mail/smtp-mailer.ts'
import { createOpenIdIssuers } from './providers/sso/openid-issuers.ts'
import type { ComputeService } from './compute/compute.ts'
import type { AccountFolders } from './compute/local/account-folders.ts'
import type { Config } from './config.ts'
import type { Job } from './jobs/jobs.ts'
import type { Clock } from './kernel/clock.ts'
import type { Events } from './kernel/events.ts'
import type { ImplementedCall } from './kernel/implement.ts'
import type { Log } from './kernel/log.ts'
import type { Announcements } from './modules/announcement/service.ts'
import type { RateLimit } from './modules/attempt/rate-limit.ts'
import type { BudgetLimits } from './modules/budget/limits.ts'
import type { Warehouses } from './modules/warehouse/service.ts'
import type { Store } from './store/store.ts'

export interface PdfThread {
  /** The thread that prints invoices, as a file. */
  readonly pdfWorker: () => Promise<string>
}

interface IdentityParts extends PdfThread {
  readonly config: Config
  readonly store: Store
  readonly sealer: Sealer
  readonly rateLimit: RateLimit
  readonly events: Events
  readonly announcements: Announcements
  readonly authority: Authority
  readonly objects: ObjectLookup
  readonly warehouses: Warehouses
  readonly budgetLimits: BudgetLimits
  readonly compute: ComputeService
  readonly folders: Pick<AccountFolders, 'accountIds'>
  /** Known once the server listens. */
  readonly publicUrl: () => string
  /** When a failed question to an issuer of single sign-on is answered. */
  readonly issuerFailsAfterMs?: number
  readonly clock: Clock
  readonly log: Log
  readonly tell: (text: string) => void
}

const SECOND_MS = 1_000
const MINUTE_MS = 60_000

/** Wires users and the life of their accounts; the other half of `build`. */
export async function buildIdentity(parts: IdentityParts) {
  const { config, store, rateLimit, events, announcements, warehouses, compute, clock, log, tell } = parts
  const { authority, objects, publicUrl, sealer } = parts
  const { db } = store
  const mails = createMails({
    store: createMailStore(db),
    mailer: config.smtp ? createSmtpMailer(config.smtp) : createOutboxMailer(tell),
    sealer,
    publicUrl,
    clock,
    log,
  })
  const links = createLinks({ db, clock })

  const logins = createLogins({ db, clock, events })
  const signIns = createSignIns({
    store: createSignInStore(db),
    transaction: store.transaction,
    clock,
    log,
  })
  const { transaction } = store
  const requireLetIn = createFirewallGate(db)
  const requireGoodPassword = passwordRule({ isSkipped: config.skipPasswordRule })
  const requireAccepted = acceptedAddress(config)
  const passwords = createPasswords({
    db,
    transaction,
    links,
    mails,
    logins,
    rateLimit,
    requireLetIn,
    requireGoodPassword,
    clock,
  })
  const addresses = createAddresses({
    db,
    transaction,
    links,
    mails,
    passwords,
    rateLimit,
    requireLetIn,
    requireAccepted,
    clock,
  })
  const signUps = createSignUps({
    store: createSignUpStore(db),
    transaction,
    links,
    mails,
    marketplace: config.marketplace === 'local' ? localMarketplace : noMarketplace,
    rateLimit,
    requireGoodPassword,
    requireAccepted,
    config,
    clock,
    log,
  })
  const userStore = createUserStore(db)
  const plainSignIn = createPlainSignIn({ store: userStore, signIns, rateLimit, requireLetIn, clock })
  const users = createUsers({
    store: userStore,
    logins,
    signIns,
    rateLimit,
    requireLetIn,
    clock,
    onChanged: (before, now) => {
      for (const announcement of announcementsOfChange(before, now))
        announcements
          .announce(announcement)
          .catch((error: unknown) => log.warn({ err: error }, 'a change of a user was not announced'))
    },
  })
  const { ssoEndpoints: openEndpoints } = config
  const issuers = createOpenIdIssuers({ openEndpoints })
  const sso = createSso({
    store: createSsoStore(db),
    transaction,
    issuers,
    sealer,
    users,
    signIns,
    passwords,
    links,
    mails,
    rateLimit,
    requireLetIn,
    publicUrl,
    openEndpoints,
    failsAfterMs: parts.issuerFailsAfterMs ?? ISSUER_FAILS_AFTER_MS,
    clock,
    log,
  })
  const onMoved = (accountIds: readonly string[]): void => {
    const type = 'GlobalEventTypeAccountStateChanged'
    for (const accountId of accountIds)
      announcements
        .announce({ accountId, userId: null, type, data: {} })
        .catch((error: unknown) => log.warn({ err: error }, 'a change of an account was not announced'))
  }
  const { accountIds } = parts.folders
  const storage = createStorage({ db, accountIds, storedBytes: compute.storedBytes, clock, log })
  const usage = createUsage({ db, storage, clock })
  const printer = createPrinter({ workerPath: parts.pdfWorker })
  const payments = createPayments({
    db,
    ...paymentProviderOf({ config, db, clock }),
    usage,
    printer,
    rateLimit,
    mails,
    meter: warehouses.meter,
    onMoved,
    clock,
    log,
  })
  const budgets = createBudgets({ db, limits: parts.budgetLimits, mails, warehouses, clock, log })
  const accountLife = createAccountLife({
    db,
    clock,
    log,
    warehouses,
    useServiceEngine: compute.useServiceEngine,
    removeData: compute.removeAccount,
    onMoved,
    beforeDeleted: payments.keepUsageOf,
  })
  const trials = createTrials({
    db,
    clock,
    mails,
    credit: { spentTrials: usage.spentTrials, hasCard: payments.hasCard },
    onMoved,
  })
  const orgs = createOrgs({
    db,
    clock,
    links,
    mails,
    requireAccepted,
    region: config.region,
    paymentEnabled: config.payment !== 'none',
    meter: warehouses.meter,
    onMoved,
  })

  const access = createAccess({
    db,
    transaction,
    authority,
    objects,
    links,
    mails,
    logins,
    requireAccepted,
    clock,
    onChanged: (accountId, userIds) => {
      const type = 'GlobalEventTypePermissionChanged'
      for (const userId of userIds ?? [null])
        announcements
          .announce({ accountId, userId, type, data: {} })
          .catch((error: unknown) => log.warn({ err: error }, 'a change of permissions was not announced'))
    },
  })
  const firewall = createFirewall({
    db,
    transaction,
    clock,
    onChanged: (accountId, letsIn) => {
      events.emit('firewallChanged', { accountId, letsIn })
      announcements
        .announce({ accountId, userId: null, type: 'GlobalEventTypePermissionChanged', data: {} })
        .catch((error: unknown) => log.warn({ err: error }, 'a change of the firewall was not announced'))
    },
  })
  const people = createOperatorPeople({
    db,
    clock,
    logins,
    links,
    mails,
    beforeRemoval: access.beforeRemoval,
  })
  const vpcEndpoints = createVpcEndpoints({ db, clock })
  const operator = createOperator({ db, accountLife, orgs, people, firewall, mails, payments, vpcEndpoints })

  // What an older key has sealed is sealed by the newest.
  await mails.reseal()
  await sso.reseal()

  const calls: ImplementedCall[] = [
    ...accessCalls(access),
    ...auditCalls(createAuditLog({ db }), signIns),
    ...budgetCalls(budgets),
    ...firewallCalls(firewall),
    ...orgCalls(orgs, trials),
    ...paymentCalls(payments),
    ...quotaCalls(createQuotas({ db })),
    ...signUpHandlers(signUps),
    ...ssoCalls(sso),
    ...usageCalls(usage),
    ...vpceCalls(vpcEndpoints),
    ...userCalls({ users, logins, signIns, passwords, addresses, messages: createMessages({ db, clock }) }),
  ]
  const jobs: Job[] = [
    { name: 'remove ended logins', everyMs: 10 * MINUTE_MS, run: users.removeEndedLogins },
    { name: 'record sign-ins', everyMs: MINUTE_MS, run: signIns.writeAudit },
    { name: 'forget sign-ins', everyMs: 60 * MINUTE_MS, run: signIns.forgetOld },
    { name: 'mail links for passwords', everyMs: SECOND_MS, run: passwords.mailResets },
    { name: 'deliver mails', everyMs: 2 * SECOND_MS, run: mails.deliverDue },
    { name: 'undo unconfirmed firewall changes', everyMs: SECOND_MS, run: firewall.takeBackDue },
    { name: 'forget mails', everyMs: 60 * MINUTE_MS, run: mails.forgetOld },
    { name: 'forget sign-ups', everyMs: 60 * MINUTE_MS, run: signUps.forgetWaiting },
    { name: 'forget single sign-ons', everyMs: 10 * MINUTE_MS, run: sso.forgetRequests },
    { name: 'forget links', everyMs: 60 * MINUTE_MS, run: links.forgetOld },
    { name: 'end trials', everyMs: MINUTE_MS, run: trials.advance },
    { name: 'measure storage', everyMs: MINUTE_MS, run: storage.meter },
    { name: 'look at budgets', everyMs: 5 * SECOND_MS, run: budgets.lookAtAll },
    { name: 'close months', everyMs: MINUTE_MS, run: payments.closing.closeDue },
    { name: 'charge invoices', everyMs: MINUTE_MS, run: () => payments.charging.chargeDue() },
    { name: 'resume paid accounts', everyMs: 10 * SECOND_MS, run: payments.charging.resumePaid },
    { name: 'forget payment events', everyMs: 60 * MINUTE_MS, run: async () => payments.events?.forgetOld() },
    { name: 'follow cards', everyMs: 30 * SECOND_MS, run: payments.cards.followAll },
    { name: 'detach replaced cards', everyMs: MINUTE_MS, run: payments.cards.detachReplaced },
    { name: 'advance accounts', everyMs: 5 * SECOND_MS, run: accountLife.advance },
  ]
  return {
    access,
    users,
    plainSignIn,
    signIns,
    firewall,
    requireLetIn,
    mails,
    links,
    passwords,
    orgs,
    trials,
    payments,
    budgets,
    storage,
    accountLife,
    operator,
    calls,
    jobs,
    async close(): Promise<void> {
      mails.close()
      issuers.close()
      await printer.close()
      await signIns
        .writeCounts()
        .catch((error: unknown) => log.warn({ err: error }, 'counts of failed sign-ins were not written'))
    },
  }
}
