import { sso } from '@boathouse/contract/sso'
import { t } from '../../i18n/texts.ts'
import { useAction } from '../../lib/api.ts'
import { ConfirmDialog, notify } from '../../ui/index.ts'

interface Props {
  readonly open: boolean
  readonly onClose: () => void
}

export function RemoveSso({ open, onClose }: Props) {
  const remove = useAction(sso.deleteSettings, { refreshes: [sso.settings] })
  const confirm = async () => {
    try {
      await remove.mutateAsync({})
    } catch {
      // The call itself has shown it; the dialog stays for another try.
      return
    }
    notify({ tone: 'ok', message: t('security.sso.removed') })
    onClose()
  }
  return (
    <ConfirmDialog
      open={open}
      danger
      onClose={onClose}
      onConfirm={confirm}
      title={t('security.sso.removeTitle')}
      confirmLabel={t('security.sso.removeConfirm')}
    >
      {t('security.sso.removeBody')}
    </ConfirmDialog>
  )
}
