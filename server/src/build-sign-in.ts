import type { Config } from './config.ts'
import type { Clock } from './kernel/clock.ts'
import type { Events } from './kernel/events.ts'
import type { Log } from './kernel/log.ts'
import type { Sealer } from './kernel/sealing.ts'
import type { Authority } from './modules/access/authority.ts'
import type { Announcements } from './modules/announcement/service.ts'
import type { RateLimit } from './modules/attempt/rate-limit.ts'
import { type AccountBehind, createFirewallGate } from './modules/firewall/gate.ts'
import { createKeySignIn } from './modules/key/sign-in.ts'
import { createKeyStore } from './modules/key/store.ts'
import type { Links } from './modules/link/service.ts'
import type { RequireAcceptedAddress } from './modules/mail/accepted-address.ts'
import type { Mails } from './modules/mail/service.ts'
import { ISSUER_FAILS_AFTER_MS } from './modules/sso/asking.ts'
import { createSso } from './modules/sso/service.ts'
import { createSsoStore } from './modules/sso/store.ts'
import { createAddresses } from './modules/user/addresses.ts'
import { announcementsOfChange } from './modules/user/identity-changes.ts'
import { createLogins } from './modules/user/logins.ts'
import type { RequireGoodPassword } from './modules/user/password-rule.ts'
import { createPasswords } from './modules/user/password-service.ts'
import { createNativeCredentials } from './modules/user/native-credentials.ts'
import { createPlainSignIn } from './modules/user/plain-sign-in.ts'
import { createPasswordProof } from './modules/user/prove-password.ts'
import { createUsers } from './modules/user/service.ts'
import { createSignInStore } from './modules/user/sign-in-store.ts'
import { createSignIns } from './modules/user/sign-ins.ts'
import { createUserStore } from './modules/user/store.ts'
import { createOpenIdIssuers } from './providers/sso/openid-issuers.ts'
import type { Store } from './store/store.ts'

interface SignInParts {
  readonly config: Pick<Config, 'ssoEndpoints'>
  readonly store: Store
  readonly sealer: Sealer
  readonly rateLimit: RateLimit
  readonly events: Events
  readonly announcements: Announcements
  readonly authority: Authority
  readonly mails: Mails
  readonly links: Links
  readonly accountBehind: AccountBehind
  readonly requireGoodPassword: RequireGoodPassword
  readonly requireAccepted: RequireAcceptedAddress
  /** Known once the server listens. */
  readonly publicUrl: () => string
  /** When a failed question to an issuer of single sign-on is answered. */
  readonly issuerFailsAfterMs?: number
  readonly clock: Clock
  readonly log: Log
}

/** Wires who users are and how they sign in, with a password or without; a part of `buildIdentity`. */
export function buildSignIn(parts: SignInParts) {
  const { store, sealer, rateLimit, events, announcements, mails, links, publicUrl, clock, log } = parts
  const { requireGoodPassword, requireAccepted } = parts
  const { db, transaction } = store
  const logins = createLogins({ db, clock, events })
  const signIns = createSignIns({
    store: createSignInStore(db),
    transaction,
    clock,
    log,
    events,
  })
  const requireLetIn = createFirewallGate(db, parts.accountBehind)
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
  const userStore = createUserStore(db)
  const provePassword = createPasswordProof({ store: userStore, rateLimit })
  const native = createNativeCredentials({ db, transaction, sealer, provePassword, clock })
  const keySignIn = createKeySignIn({
    store: createKeyStore(db),
    findUser: userStore.findById,
    authority: parts.authority,
    signIns,
    rateLimit,
    requireLetIn,
    clock,
  })
  const plainSignIn = createPlainSignIn({
    store: userStore,
    signIns,
    native,
    keys: keySignIn.byPassword,
    rateLimit,
    requireLetIn,
    clock,
  })
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
  const { ssoEndpoints: openEndpoints } = parts.config
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
  const proofs = { native, plainSignIn, keySignIn }
  return { logins, signIns, requireLetIn, passwords, addresses, ...proofs, users, issuers, sso }
}

export type SignInServices = ReturnType<typeof buildSignIn>
