import type { ComputeService } from './compute/compute.ts'
import type { AccountFolders } from './compute/local/account-folders.ts'
import type { Config } from './config.ts'
import type { BuildOptions } from './build-options.ts'
import { paymentProviderOf } from './build-payment-provider.ts'
import type { buildRegionLink } from './build-regions.ts'
import type { Clock } from './kernel/clock.ts'
import type { Log } from './kernel/log.ts'
import type { Announcements } from './modules/announcement/service.ts'
import type { RateLimit } from './modules/attempt/rate-limit.ts'
import type { BudgetLimits } from './modules/budget/limits.ts'
import { createBudgets } from './modules/budget/service.ts'
import type { Links } from './modules/link/service.ts'
import type { RequireAcceptedAddress } from './modules/mail/accepted-address.ts'
import type { Mails } from './modules/mail/service.ts'
import { createAccountLife } from './modules/org/life.ts'
import { createOrgs } from './modules/org/service.ts'
import { createTrials } from './modules/org/trials.ts'
import { requireHandedOver } from './modules/region/regional.ts'
import { createPrinter } from './modules/payment/printing/printer.ts'
import { createPayments } from './modules/payment/service.ts'
import { createStorage } from './modules/storage/service.ts'
import { createUsage } from './modules/usage/service.ts'
import type { Warehouses } from './modules/warehouse/service.ts'
import type { Store } from './store/store.ts'

interface AccountParts extends Pick<BuildOptions, 'pdfWorker'> {
  readonly config: Config
  readonly store: Pick<Store, 'db'>
  readonly rateLimit: RateLimit
  readonly announcements: Announcements
  readonly warehouses: Warehouses
  readonly budgetLimits: BudgetLimits
  readonly compute: ComputeService
  readonly folders: Pick<AccountFolders, 'accountIds'>
  readonly mails: Mails
  readonly links: Links
  readonly requireAccepted: RequireAcceptedAddress
  readonly regionLink: Pick<ReturnType<typeof buildRegionLink>, 'map' | 'organisations'>
  readonly clock: Clock
  readonly log: Log
}

/** Wires the life of accounts and what they use, may spend and pay; a part of `buildIdentity`. */
export function buildAccounts(parts: AccountParts) {
  const { config, rateLimit, announcements, warehouses, compute, mails, links, clock, log } = parts
  const { requireAccepted } = parts
  const { db } = parts.store
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
    beforeDeleted: (trx, account) =>
      config.regions.central
        ? requireHandedOver(trx, account.account_id)
        : payments.keepUsageOf(trx, account),
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
    placeOf: parts.regionLink.map.placeOf,
    central: parts.regionLink.organisations,
    clusterEngine: compute.kinds.find(({ isCluster }) => isCluster)?.id ?? null,
    paymentEnabled: config.payment !== 'none',
    meter: warehouses.meter,
    onMoved,
  })
  return { storage, usage, printer, payments, budgets, accountLife, trials, orgs, onMoved }
}

export type AccountServices = ReturnType<typeof buildAccounts>
