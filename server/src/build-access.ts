import type { Clock } from './kernel/clock.ts'
import type { Events } from './kernel/events.ts'
import type { Log } from './kernel/log.ts'
import { type AccessParts, createAccess } from './modules/access/service.ts'
import type { Announcements } from './modules/announcement/service.ts'
import { createFirewall } from './modules/firewall/service.ts'
import type { Store } from './store/store.ts'

interface OwnParts extends Pick<
  AccessParts,
  'authority' | 'objects' | 'links' | 'mails' | 'logins' | 'requireAccepted'
> {
  readonly store: Store
  readonly events: Events
  readonly announcements: Announcements
  readonly clock: Clock
  readonly log: Log
}

/** Wires who may do what, and from where; a part of `buildIdentity`. */
export function buildAccess(parts: OwnParts) {
  const { store, events, announcements, authority, objects, links, mails, logins, clock, log } = parts
  const { db, transaction } = store
  const access = createAccess({
    db,
    transaction,
    authority,
    objects,
    links,
    mails,
    logins,
    requireAccepted: parts.requireAccepted,
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
  return { access, firewall }
}

export type AccessServices = ReturnType<typeof buildAccess>
