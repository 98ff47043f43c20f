import type { UserInfo } from '@boathouse/contract/user'
import { type ComponentType, useEffect, useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { callEvents } from '../../../lib/api.ts'
import { session, useSession } from '../../../lib/session.ts'
import { notify } from '../../../ui/index.ts'
import type { ReloginProps } from './relogin-dialog.tsx'

interface EndedLogin {
  /** Of the login that is over. */
  readonly token: string | null
}

const isOver = (token: string | null, ended: EndedLogin | undefined): boolean =>
  token === null || token === ended?.token

/** Reports a login that has ended, above everything that is open. Loaded when that happens. */
export function Relogin({ user }: { user: UserInfo }) {
  const { token } = useSession()
  const [ended, setEnded] = useState<EndedLogin>()
  const [Dialog, setDialog] = useState<ComponentType<ReloginProps> | null>(null)
  useEffect(
    () =>
      callEvents.subscribe(({ type }) => {
        if (type === 'relogin') setEnded({ token: session.get().token })
      }),
    [],
  )
  useEffect(() => {
    if (Dialog || !isOver(token, ended)) return
    import('./relogin-dialog.tsx').then(
      ({ ReloginDialog }) => setDialog(() => ReloginDialog),
      () => notify({ tone: 'err', message: t('ui.dialogFailed') }),
    )
    // The next call that is refused tries again.
  }, [Dialog, token, ended])
  return Dialog && <Dialog open={isOver(token, ended)} user={user} />
}
