import { type AccountListItem, org } from '@boathouse/contract/org'
import { t } from '../../i18n/texts.ts'
import { useAction } from '../../lib/api.ts'
import { useForm } from '../../lib/form.ts'
import { isMailKept } from '../../lib/kept-mail.ts'
import { Button, Dialog, Refusal, TextField } from '../../ui/index.ts'
import { FormDialog } from './form-dialog.tsx'

interface Props {
  readonly account: AccountListItem
  /** The confirmation is mailed to who asks. */
  readonly hasEmail: boolean
  /** Opens the profile. */
  readonly onAddEmail: () => void
  readonly onClose: () => void
}

/** ACCOUNT-23, ACCOUNT-33, ACCOUNT-34: the name typed exactly, then a link by mail. */
export function ReleaseAccount({ account, hasEmail, onAddEmail, onClose }: Props) {
  const { accountId, name } = account
  const isName = (phrase: string) => (phrase === name ? undefined : t('account.release.wrong'))
  const form = useForm({ phrase: '' }, { phrase: isName })
  const release = useAction(org.releaseAccount, { silent: true })
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
      title={t('account.release.title', { name })}
      onClose={onClose}
      onSubmit={form.onSubmit(async ({ phrase }) => {
        await release.mutateAsync({ accountId, phrase })
      })}
      action={
        <Button variant="danger" type="submit" disabled={form.values.phrase !== name} loading={form.working}>
          {t('account.release.submit')}
        </Button>
      }
    >
      <p>{t('account.release.lost', { name, id: accountId })}</p>
      <TextField
        {...form.field('phrase')}
        label={t('account.release.phrase', { name })}
        autoComplete="off"
        data-autofocus
      />
      <Refusal text={form.refused} />
    </FormDialog>
  )
}
