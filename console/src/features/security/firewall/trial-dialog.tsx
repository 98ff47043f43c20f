import { firewall, type FirewallTrial } from '@boathouse/contract/firewall'
import { useEffect } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useAction } from '../../../lib/api.ts'
import { forgetTrial, useSecondsLeft } from '../../../lib/firewall-trial.ts'
import { useConfirm } from '../../../lib/use-confirm.ts'
import { Button, Dialog, notify, Refusal } from '../../../ui/index.ts'
import styles from '../security.module.css'

interface Props {
  readonly trial: FirewallTrial
  /** When the service said how long it is. */
  readonly loadedAt: number
  readonly onOver: () => void
}

/** For users with access: a change that cut off its author is kept or reverted, or time decides. */
export function TrialDialog({ trial, loadedAt, onOver }: Props) {
  const count = useSecondsLeft(loadedAt + trial.leftMs)
  const refreshes = [firewall.rules]
  const confirmChange = useAction(firewall.confirmChange, { silent: true, refreshes })
  const takeBackChange = useAction(firewall.takeBackChange, { silent: true, refreshes })
  const decide = (change: typeof confirmChange, message: string) => ({
    onConfirm: async () => {
      await change.mutateAsync({})
      forgetTrial()
      notify({ tone: 'ok', message })
      return true
    },
    // The rules are read again, and with them the dialog goes.
    onDone: () => undefined,
  })
  const keep = useConfirm(decide(confirmChange, t('firewall.trial.confirmed')))
  const back = useConfirm(decide(takeBackChange, t('firewall.trial.reverted')))
  const isOver = count === 0
  useEffect(() => {
    if (!isOver) return
    const timer = setInterval(onOver, 1_000)
    return () => clearInterval(timer)
  }, [isOver, onOver])
  const footer = (
    <>
      <Button loading={back.isWorking} onClick={() => void back.confirm()}>
        {t('firewall.trial.revert')}
      </Button>
      <Button variant="primary" loading={keep.isWorking} onClick={() => void keep.confirm()} data-autofocus>
        {t('firewall.trial.confirm')}
      </Button>
    </>
  )
  const { user, ruleName: rule, clientIp: ip } = trial
  return (
    <Dialog open closable={false} onClose={() => undefined} title={t('firewall.trial.title')} footer={footer}>
      <div className={styles['form']}>
        <p>{t('firewall.trial.body', { user, rule, ip })}</p>
        <p role="timer">
          <strong>{t('firewall.trial.left', { count })}</strong>
        </p>
        <Refusal text={keep.refusal ?? back.refusal} />
      </div>
    </Dialog>
  )
}
