import { org } from '@boathouse/contract/org'
import { user as userCalls } from '@boathouse/contract/user'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useAction } from '../../lib/api.ts'
import { ConfirmDialog, notify, Refusal } from '../../ui/index.ts'

/** The page of the mailed link. Opening it alone deletes nothing: mail programs open links automatically. */
export function ConfirmRelease({ token, onClose }: { token: string; onClose: () => void }) {
  const [problem, setProblem] = useState<string>()
  const confirm = useAction(org.confirmRelease, {
    silent: true,
    refreshes: [org.listAccount, org.detail, userCalls.accountInfo],
  })
  const submit = async () => {
    try {
      const { name } = await confirm.mutateAsync({ token })
      notify({ tone: 'ok', message: t('account.confirm.done', { name }) })
      onClose()
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <ConfirmDialog
      open
      danger
      onClose={onClose}
      onConfirm={submit}
      title={t('account.confirm.title')}
      confirmLabel={t('account.confirm.submit')}
    >
      <p>{t('account.confirm.body')}</p>
      <Refusal text={problem} />
    </ConfirmDialog>
  )
}
