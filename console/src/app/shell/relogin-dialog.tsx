import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callEvents } from '../../lib/api.ts'
import { Button, Dialog } from '../../ui/index.ts'
import { SupportContact } from '../support-contact.tsx'
import { useLeave } from './sign-out.ts'

/** SIGNIN-44 to SIGNIN-48: says that the login has timed out, then leads to sign-in and back to this page. */
export function ReloginDialog() {
  const { t } = useTranslation()
  const leave = useLeave()
  const here = useLocation({ select: (location) => location.href })
  const [open, setOpen] = useState(false)
  useEffect(
    () =>
      callEvents.subscribe((event) => {
        if (event.type === 'relogin') setOpen(true)
      }),
    [],
  )
  const go = () => void leave(here)
  const footer = (
    <Button variant="primary" onClick={go} data-autofocus>
      {t('shell.relogin.confirm')}
    </Button>
  )
  return (
    <Dialog
      open={open}
      onClose={go}
      title={t('shell.relogin.title')}
      footer={footer}
      closeOnClickOutside={false}
    >
      <p>{t('shell.relogin.body')}</p>
      <SupportContact before={t('shell.relogin.help')} />
    </Dialog>
  )
}
