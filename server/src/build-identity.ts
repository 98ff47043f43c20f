import { type AccessServices, buildAccess } from './build-access.ts'
import { type AccountServices, buildAccounts } from './build-accounts.ts'
import { identityJobs } from './build-identity-jobs.ts'
import { marketplaceOf } from './build-marketplace.ts'
import type { BuildOptions } from './build-options.ts'
import { buildRegionLink, buildRegions } from './build-regions.ts'
import { buildPrivateLink } from './build-private-link.ts'
import { buildSignIn, type SignInServices } from './build-sign-in.ts'
import type { ComputeService } from './compute/compute.ts'
import type { AccountFolders } from './compute/local/account-folders.ts'
import type { Config } from './config.ts'
import type { Clock } from './kernel/clock.ts'
import type { Events } from './kernel/events.ts'
import type { ImplementedCall } from './kernel/implement.ts'
import type { Log } from './kernel/log.ts'
import type { Sealer } from './kernel/sealing.ts'
import type { Authority } from './modules/access/authority.ts'
import { accessCalls } from './modules/access/calls.ts'
import type { ObjectLookup } from './modules/access/grants.ts'
import { alertCalls } from './modules/alert/calls.ts'
import { createAlerts } from './modules/alert/service.ts'
import type { Announcements } from './modules/announcement/service.ts'
import type { RateLimit } from './modules/attempt/rate-limit.ts'
import { auditCalls } from './modules/audit/calls.ts'
import { createAuditLog } from './modules/audit/service.ts'
import { budgetCalls } from './modules/budget/calls.ts'
import type { BudgetLimits } from './modules/budget/limits.ts'
import { firewallCalls } from './modules/firewall/calls.ts'
import { createConnections } from './modules/integration/connections.ts'
import { createIntegrationRequests } from './modules/integration/service.ts'
import { keyCalls } from './modules/key/calls.ts'
import { createKeys } from './modules/key/service.ts'
import { createLinks } from './modules/link/service.ts'
import { acceptedAddress } from './modules/mail/accepted-address.ts'
import { createMails } from './modules/mail/service.ts'
import { createMailStore } from './modules/mail/store.ts'
import { createMarketplaces } from './modules/marketplace/service.ts'
import { createMessages } from './modules/message/service.ts'
import { createOperator } from './modules/operator/commands.ts'
import { createOperatorPeople } from './modules/operator/people.ts'
import { orgCalls } from './modules/org/calls.ts'
import { paymentCalls } from './modules/payment/calls.ts'
import { quotaCalls } from './modules/quota/calls.ts'
import { createQuotas } from './modules/quota/service.ts'
import { signUpHandlers } from './modules/sign-up/calls.ts'
import { createSignUps } from './modules/sign-up/service.ts'
import { createSignUpStore } from './modules/sign-up/store.ts'
import { ssoCalls } from './modules/sso/calls.ts'
import { usageCalls } from './modules/usage/calls.ts'
import { userCalls } from './modules/user/calls.ts'
import { passwordRule } from './modules/user/password-rule.ts'
import { createPeopleStore } from './modules/user/people-with-roles-store.ts'
import { vpceCalls } from './modules/vpce/calls.ts'
import type { Warehouses } from './modules/warehouse/service.ts'
import { createOutboxMailer } from './providers/mail/outbox-mailer.ts'
import { createSmtpMailer } from './providers/mail/smtp-mailer.ts'
import type { Marketplace } from './providers/marketplace/marketplace.ts'
import { createWebhookSender } from './providers/webhook/webhook-sender.ts'
import type { Store } from './store/store.ts'

interface IdentityParts extends Pick<BuildOptions, 'pdfWorker'> {
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

/** Wires users and the life of their accounts; the other half of `build`. */
export async function buildIdentity(parts: IdentityParts) {
  const { config, store, clock, log } = parts
  const { db } = store
  const mails = mailsOf(parts)
  const links = createLinks({ db, clock })
  const requireGoodPassword = passwordRule({ isSkipped: config.skipPasswordRule })
  const requireAccepted = acceptedAddress(config)
  const privateLinks = buildPrivateLink(parts)
  const { vpcEndpoints, approved } = privateLinks
  const { accountBehind } = approved
  const signIn = buildSignIn({ ...parts, mails, links, accountBehind, requireGoodPassword, requireAccepted })
  const { logins, signIns, sso } = signIn
  const { marketplace, close: closeMarketplace } = marketplaceOf(config, clock)
  const signUps = signUpsOf(parts, { links, mails, requireGoodPassword, requireAccepted, marketplace })
  const regionLink = buildRegionLink(parts)
  const accounts = buildAccounts({ ...parts, mails, links, requireAccepted, regionLink })
  const { accountLife, orgs, trials, payments, budgets, storage } = accounts
  const regions = buildRegions({ ...parts, ...accounts, regionLink, mails, links })
  const marketplaces = marketplacesOf(parts, accounts, marketplace)
  const { access, firewall } = buildAccess({ ...parts, mails, links, logins, requireAccepted })
  const { beforeRemoval } = access
  const people = createOperatorPeople({ db, clock, logins, links, mails, beforeRemoval })
  const keys = keysOf(parts, access)
  const alerts = alertsOf(parts, mails)
  const integrations = integrationsOf(parts, mails)
  const operator = createOperator({
    db,
    accountLife,
    orgs,
    people,
    keys,
    firewall,
    mails,
    payments,
    vpcEndpoints,
    requests: integrations.requests,
    marketplaces,
    regions,
  })

  // What an older key has sealed is sealed by the newest.
  for (const sealed of [mails, sso, alerts.rules, signIn.native]) await sealed.reseal()
  await approved.reload()

  const calls = callsOf(
    { ...signIn, ...accounts, access, alerts, firewall, keys, signUps, vpcEndpoints },
    parts,
  )
  const others = { mails, links, signUps, firewall, alerts, marketplaces, privateLinks }
  return {
    access,
    users: signIn.users,
    plainSignIn: signIn.plainSignIn,
    keySignIn: signIn.keySignIn,
    native: signIn.native,
    signIns,
    firewall,
    requireLetIn: signIn.requireLetIn,
    mails,
    links,
    passwords: signIn.passwords,
    orgs,
    trials,
    payments,
    budgets,
    storage,
    accountLife,
    alerts,
    operator,
    calls,
    integrations,
    regions,
    marketplaces,
    approvedEndpoints: { sql: vpcEndpoints.approvedForSql, streaming: vpcEndpoints.approvedForStreaming },
    vpcEndpoints,
    approved,
    jobs: [...identityJobs({ ...signIn, ...accounts, ...others }), ...regions.jobs],
    async close(): Promise<void> {
      mails.close()
      alerts.close()
      signIn.issuers.close()
      regions.close()
      closeMarketplace()
      privateLinks.close()
      await accounts.printer.close()
      await signIns
        .writeCounts()
        .catch((error: unknown) => log.warn({ err: error }, 'counts of failed sign-ins were not written'))
    },
  }
}

export type Identity = Awaited<ReturnType<typeof buildIdentity>>

const keysOf = (
  { store: { db, transaction }, events, clock }: IdentityParts,
  { requireRank }: ReturnType<typeof buildAccess>['access'],
) => createKeys({ db, transaction, people: createPeopleStore(db), requireRank, events, clock })

interface Called extends SignInServices, AccountServices, Pick<AccessServices, 'access' | 'firewall'> {
  readonly alerts: ReturnType<typeof createAlerts>
  readonly keys: ReturnType<typeof createKeys>
  readonly signUps: ReturnType<typeof createSignUps>
  readonly vpcEndpoints: ReturnType<typeof buildPrivateLink>['vpcEndpoints']
}

function callsOf(called: Called, { store, clock }: IdentityParts): ImplementedCall[] {
  const { access, alerts, signIns, budgets, firewall, keys, orgs, trials, payments, signUps, sso } = called
  const { usage, vpcEndpoints } = called
  const { db } = store
  return [
    ...accessCalls(access),
    ...alertCalls(alerts),
    ...auditCalls(createAuditLog({ db }), signIns),
    ...budgetCalls(budgets),
    ...firewallCalls(firewall),
    ...keyCalls(keys),
    ...orgCalls(orgs, trials),
    ...paymentCalls(payments),
    ...quotaCalls(createQuotas({ db })),
    ...signUpHandlers(signUps),
    ...ssoCalls(sso),
    ...usageCalls(usage),
    ...vpceCalls(vpcEndpoints),
    ...userCalls({ ...called, messages: createMessages({ db, clock }) }),
  ]
}

const marketplacesOf = (
  { config, store, warehouses, clock, log }: IdentityParts,
  { payments, onMoved }: AccountServices,
  marketplace: Marketplace,
) =>
  createMarketplaces({
    db: store.db,
    marketplace,
    dimension: config.marketplace.dimension,
    paysThere: payments.paysThroughMarketplace,
    meter: warehouses.meter,
    onMoved,
    clock,
    log,
  })

type SignUpParts = Parameters<typeof createSignUps>[0]

const signUpsOf = (
  { config, store, rateLimit, clock, log }: IdentityParts,
  rules: Pick<SignUpParts, 'links' | 'mails' | 'requireGoodPassword' | 'requireAccepted' | 'marketplace'>,
) =>
  createSignUps({
    ...rules,
    store: createSignUpStore(store.db),
    transaction: store.transaction,
    rateLimit,
    config,
    clock,
    log,
  })

const alertsOf = (
  { config, store, sealer, rateLimit, clock, log }: IdentityParts,
  mails: ReturnType<typeof mailsOf>,
) =>
  createAlerts({
    db: store.db,
    sender: createWebhookSender({ openEndpoints: config.webhookEndpoints }),
    sealer,
    mails,
    rateLimit,
    clock,
    log,
  })

const integrationsOf = (
  { config, store, rateLimit, events, clock }: IdentityParts,
  mails: ReturnType<typeof mailsOf>,
) => ({
  requests: createIntegrationRequests({
    db: store.db,
    mails,
    rateLimit,
    operatorEmail: config.operatorEmail ?? null,
    clock,
  }),
  connections: createConnections({ events, clock }),
})

function mailsOf({ config, store, sealer, publicUrl, clock, log, tell }: IdentityParts) {
  return createMails({
    store: createMailStore(store.db),
    mailer: config.smtp ? createSmtpMailer(config.smtp) : createOutboxMailer(tell),
    sealer,
    publicUrl,
    clock,
    log,
  })
}
