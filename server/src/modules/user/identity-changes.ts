import type { NewAnnouncement } from '../announcement/service.ts'
import type { Identity } from './store.ts'

/**
 * The announcements to the open consoles of a user whose identity or privileges have changed. A change of the account
 * is among them: it is found for every login of the account, and each is notified by its own.
 */
export function announcementsOfChange(before: Identity, now: Identity): NewAnnouncement[] {
  const { account_id: accountId, user_id: userId } = now
  const roles = now.active_roles.join()
  const announcements: NewAnnouncement[] = []
  const isSame =
    before.active_roles.join() === roles &&
    before.is_org_admin === now.is_org_admin &&
    before.email === now.email
  if (!isSame) announcements.push({ accountId, userId, type: 'GlobalEventTypePermissionChanged', data: {} })
  if (before.shell_state !== now.shell_state)
    announcements.push({ accountId, userId, type: 'GlobalEventTypeAccountStateChanged', data: {} })
  return announcements
}
