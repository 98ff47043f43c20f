import { sso } from '@boathouse/contract/sso'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { send } from '../../lib/api.ts'
import { Button, Refusal } from '../../ui/index.ts'
import { useFollowed } from './link.ts'
import { refusalText } from './refusal.ts'
import { rememberSso } from './sso-memory.ts'

interface Props {
  readonly accountId: string
  readonly next: string | null
  /** For a page that must not be left: the login starts in another window, and this one follows. */
  readonly inNewWindow?: boolean
}

const WINDOW_FEATURES = 'popup,width=520,height=700'

/** There where the account has an issuer; leads to it. */
export function SsoButton({ accountId, next, inNewWindow = false }: Props) {
  const offer = useFollowed(sso.offer, { accountId })
  const [working, setWorking] = useState(false)
  const [refused, setRefused] = useState<string>()
  if (offer.state !== 'good' || !offer.data.enabled) return null
  const begin = async () => {
    // Before anything is awaited: browsers open windows only in answer to a click.
    const at = inNewWindow ? window.open('', '_blank', WINDOW_FEATURES) : window
    setRefused(at === null ? t('signIn.ssoBlocked') : undefined)
    if (at === null) return
    setWorking(true)
    try {
      const { address, secret } = await send(sso.begin, { accountId }, { silent: true })
      rememberSso({ secret, accountId, next, closes: inNewWindow }, at)
      at.location.assign(address)
      // This window leaves; another one may be closed halfway, and then the user can start again.
      setWorking(!inNewWindow)
    } catch (failure) {
      if (inNewWindow) at.close()
      setRefused(refusalText(failure, t('signIn.noAnswer')))
      setWorking(false)
    }
  }
  return (
    <>
      <Refusal text={refused} />
      <Button size="lg" fullWidth loading={working} onClick={() => void begin()}>
        {t('signIn.sso')}
      </Button>
    </>
  )
}
