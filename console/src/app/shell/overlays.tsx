import type { UserInfo } from '@boathouse/contract/user'
import { lazy, Suspense } from 'react'
import type { Place } from '../paths.ts'
import { useOverlay } from './overlay.ts'

/** Each is fetched when somebody opens it. */
const Palette = lazy(async () => ({ default: (await import('./palette/palette.tsx')).Palette }))
const ShortcutSheet = lazy(async () => ({
  default: (await import('./palette/shortcut-sheet.tsx')).ShortcutSheet,
}))
const AsCodeDrawer = lazy(async () => ({
  default: (await import('../../features/as-code/as-code-drawer.tsx')).AsCodeDrawer,
}))
const Notifications = lazy(async () => ({
  default: (await import('./notifications/notifications.tsx')).Notifications,
}))
const UserDialogs = lazy(async () => ({ default: (await import('./user-dialogs.tsx')).UserDialogs }))

interface Props {
  readonly user: UserInfo
  readonly place: Place
}

export function Overlays({ user, place }: Props) {
  const { overlay, show } = useOverlay()
  const close = () => show(null)
  return <Suspense fallback={null}>{shown()}</Suspense>

  function shown() {
    switch (overlay) {
      case null:
        return null
      case 'palette':
        return <Palette user={user} place={place} onClose={close} onOpen={show} />
      case 'shortcuts':
        return <ShortcutSheet onClose={close} />
      case 'as code':
        return <AsCodeDrawer onClose={close} />
      case 'notifications':
        return <Notifications onClose={close} />
      case 'profile':
      case 'roles':
      case 'switch account':
      case 'logout':
        return <UserDialogs dialog={overlay} user={user} onClose={close} />
    }
  }
}
