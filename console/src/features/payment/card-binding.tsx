import '../../i18n/payment.ts'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { t } from '../../i18n/texts.ts'
import { Button, Refusal, Spinner } from '../../ui/index.ts'
import { CheckingCard } from './checking-card.tsx'
import { LocalCardForm } from './local-card-form.tsx'
import styles from './payment.module.css'
import { useClientSecret } from './use-client-secret.ts'

const StripeCardForm = lazy(async () => ({
  default: (await import('./stripe-card-form.tsx')).StripeCardForm,
}))

interface Props {
  /** What comes after success: the end, or waiting for the account. */
  readonly mode: 'cardOnly' | 'resume'
  readonly onBound?: () => void
  /** Beside the confirm button: a way out. */
  readonly leave: ReactNode
}

/** The content of a dialog in which a card is bound. */
export function CardBinding({ mode, onBound, leave }: Props) {
  const { secret, ask } = useClientSecret()
  const [isSent, setSent] = useState(false)
  if (secret.state === 'failed')
    return (
      <div className={styles['form']}>
        <Refusal text={t('payment.problem')} />
        <div className={styles['buttons']}>
          {leave}
          <Button variant="primary" onClick={ask}>
            {t('payment.again')}
          </Button>
        </div>
      </div>
    )
  const preparing = (
    <div className={styles['form']}>
      <p className={styles['waiting']} role="status">
        <Spinner size={16} immediate />
        {t('payment.loading')}
      </p>
      <div className={styles['buttons']}>{leave}</div>
    </div>
  )
  if (secret.state === 'loading') return preparing
  if (isSent)
    return (
      <CheckingCard
        clientSecret={secret.clientSecret}
        onBound={mode === 'cardOnly' ? onBound : undefined}
        leave={leave}
        onAgain={() => {
          setSent(false)
          ask()
        }}
      />
    )
  const { clientSecret, form } = secret
  const common = {
    clientSecret,
    lead: mode === 'resume' ? t('payment.resumeLead') : t('payment.lead'),
    leave,
    onSent: () => setSent(true),
  }
  if (form.publishableKey === null) return <LocalCardForm {...common} />
  return (
    <Suspense fallback={preparing}>
      <StripeCardForm key={clientSecret} {...common} publishableKey={form.publishableKey} onAgain={ask} />
    </Suspense>
  )
}
