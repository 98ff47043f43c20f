import { payment } from '@boathouse/contract/payment'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { Button, Refusal, Spinner } from '../../ui/index.ts'
import styles from './payment.module.css'

const ASK_EVERY_MS = 2_000

interface Props {
  readonly clientSecret: string
  /** Undefined where the shell continues automatically. */
  readonly onBound: (() => void) | undefined
  readonly onAgain: () => void
  readonly leave: ReactNode
}

export function CheckingCard({ clientSecret, onBound, onAgain, leave }: Props) {
  const { data, isError } = useCall(
    payment.cardBinding,
    { clientSecret },
    { silent: true, staleTime: 0, refetchInterval: ASK_EVERY_MS },
  )
  const state = isError ? 'retryLater' : (data?.state ?? 'waiting')
  useEffect(() => {
    if (state === 'bound') onBound?.()
  }, [state, onBound])
  if (state === 'retryLater')
    return (
      <div className={styles['form']}>
        <Refusal text={t('payment.problem')} />
        <div className={styles['buttons']}>
          {leave}
          <Button variant="primary" onClick={onAgain}>
            {t('payment.again')}
          </Button>
        </div>
      </div>
    )
  return (
    <div className={styles['form']}>
      <div className={styles['waiting']} role="status">
        <Spinner size={16} immediate />
        <div>
          <p>{t('payment.checking')}</p>
          <p className={styles['note']}>{t(`payment.states.${state}`)}</p>
        </div>
      </div>
      <div className={styles['buttons']}>{leave}</div>
    </div>
  )
}
