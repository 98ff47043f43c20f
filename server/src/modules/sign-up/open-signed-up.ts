import type { Selectable, Transaction } from 'kysely'
import type { Caller } from '../../kernel/actor.ts'
import type { Schema } from '../../store/schema.ts'
import { openAccount, openOrganisation, ORG_IDENTITIES, ORG_SOURCES } from '../org/open-account.ts'
import { beginSubscription } from '../marketplace/subscription-store.ts'
import { startTrial } from '../org/trials.ts'

const ACCOUNT_NAME = 'main'
const USER_NAME_LENGTH = 64

/** Who signs up is called as in front of the @ of their address. */
export const userNameOf = (email: string): string =>
  (email.split('@', 1)[0] ?? email).slice(0, USER_NAME_LENGTH)

interface Circumstances {
  readonly csp: string
  readonly region: string
  readonly from: Caller
  readonly at: Date
}

/** An organisation, its root account and its administrator. Who comes from a marketplace pays there; others begin with a trial. */
export async function openSignedUp(
  trx: Transaction<Schema>,
  row: Selectable<Schema['sign_ups']>,
  { csp, region, from, at }: Circumstances,
): Promise<string> {
  const customer = row.marketplace_customer
  const isCustomer = customer !== null
  const user = userNameOf(row.email)
  const organisationId = await openOrganisation(trx, {
    name: row.company,
    identity: ORG_IDENTITIES.Company,
    source: isCustomer ? ORG_SOURCES.Marketplace : ORG_SOURCES.SignUp,
    at,
  })
  const { accountId, userId } = await openAccount(trx, {
    organisationId,
    name: ACCOUNT_NAME,
    isRoot: true,
    csp,
    region,
    edition: 'standard',
    administrator: { name: user, email: row.email, passwordHash: row.password_hash },
    begins: 'set up',
    wantsSamples: true,
    by: { kind: 'user', name: user, userId: null, accountId: null, clientIp: from.clientIp },
    at,
  })
  if (isCustomer)
    await beginSubscription(trx, {
      organisationId,
      marketplace: row.marketplace ?? 'local',
      customer,
      product: row.marketplace_product ?? '',
      at,
    })
  else await startTrial(trx, { organisationId, accountId, userId, at })
  return accountId
}
