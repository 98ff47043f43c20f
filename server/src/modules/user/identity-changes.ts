import type { NewAnnouncement } from '../announcement/service.ts'
import type { Identity } from './store.ts'

/**
 * What the open consoles of a user are told who is found to be, or to be allowed, something else than before. Also of the
 * account: everyone else is found to have it changed too, and would be told as often as there are logins.
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
