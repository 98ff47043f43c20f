import { type AccountListItem, org } from '@boathouse/contract/org'
import { t } from '../../i18n/texts.ts'
import { useAction } from '../../lib/api.ts'
import { isMailKept } from '../../lib/kept-mail.ts'
import { useConfirm } from '../../lib/use-confirm.ts'
import { Button, Dialog, FormDialog, useTypedName } from '../../ui/index.ts'

interface Props {
  readonly account: AccountListItem
  /** The confirmation is mailed to who asks. */
  readonly hasEmail: boolean
  /** Opens the profile. */
  readonly onAddEmail: () => void
  readonly onClose: () => void
}

/** The name typed exactly, then a link by mail. */
export function ReleaseAccount({ account, hasEmail, onAddEmail, onClose }: Props) {
  const { accountId, name } = account
  const typed = useTypedName(name, t('account.release.wrong'))
  const release = useAction(org.releaseAccount, { silent: true })
  const { confirm, isWorking, refusal } = useConfirm({
    onConfirm: async () => {
      if (typed.accept()) await release.mutateAsync({ accountId, phrase: name })
      return false
    },
    onDone: onClose,
  })
  if (release.data)
    return (
      <Dialog
        open
        onClose={onClose}
        title={t('account.release.sentTitle')}
        footer={
          <Button variant="primary" onClick={onClose} data-autofocus>
            {t('account.release.sentDone')}
          </Button>
        }
      >
        <p>{t('account.release.sent', { mail: release.data.mailedTo })}</p>
        {isMailKept() && <p>{t('shell.mailKept')}</p>}
      </Dialog>
    )
  if (!hasEmail)
    return (
      <Dialog
        open
        onClose={onClose}
        title={t('account.release.title', { name })}
        footer={
          <>
            <Button onClick={onClose}>{t('ui.cancel')}</Button>
            <Button variant="primary" onClick={onAddEmail} data-autofocus>
              {t('account.release.addMail')}
            </Button>
          </>
        }
      >
        <p>{t('account.release.noMail')}</p>
      </Dialog>
    )
  return (
    <FormDialog
      danger
      title={t('account.release.title', { name })}
      confirmLabel={t('account.release.submit')}
      confirmDisabled={!typed.isRight}
      isWorking={isWorking}
      refusal={refusal}
      onSubmit={confirm}
      onClose={onClose}
    >
      <p>{t('account.release.lost', { name, id: accountId })}</p>
      {typed.field}
    </FormDialog>
  )
}
