import { useEffect, useRef, useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { t } from '../../i18n/texts.ts'
import { Button, Refusal, Spinner } from '../../ui/index.ts'
import styles from './payment.module.css'
import { loadStripe, type StripeElements, type StripeLibrary } from './stripe-library.ts'
import { useIsConfirmable } from './use-is-confirmable.ts'

interface Props {
  readonly clientSecret: string
  readonly publishableKey: string
  readonly lead: string
  readonly leave: ReactNode
  readonly onSent: () => void
  /** Starts again, with another secret. */
  readonly onAgain: () => void
}

interface Form {
  readonly stripe: StripeLibrary
  readonly elements: StripeElements
}

const isDark = (): boolean => document.documentElement.getAttribute('data-scheme') === 'dark'

/** The form of the provider, in a frame of its own: its input never reaches this page. */
function useStripeForm({ clientSecret, publishableKey }: Pick<Props, 'clientSecret' | 'publishableKey'>) {
  const place = useRef<HTMLDivElement>(null)
  const [form, setForm] = useState<Form>()
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading')
  useEffect(() => {
    let isWanted = true
    let end = () => {}
    const show = async () => {
      const stripe = await loadStripe(publishableKey)
      if (!isWanted || !place.current) return
      const appearance = { theme: isDark() ? 'night' : 'stripe' }
      const elements = stripe.elements({ clientSecret, appearance })
      const element = elements.create('payment', {})
      element.on('ready', () => setState('ready'))
      element.on('loaderror', () => setState('failed'))
      element.mount(place.current)
      end = () => element.destroy()
      setForm({ stripe, elements })
    }
    show().catch(() => isWanted && setState('failed'))
    return () => {
      isWanted = false
      end()
    }
  }, [clientSecret, publishableKey])
  return { place, form, state }
}

export function StripeCardForm({ clientSecret, publishableKey, lead, leave, onSent, onAgain }: Props) {
  const { place, form, state } = useStripeForm({ clientSecret, publishableKey })
  const [problem, setProblem] = useState<string>()
  const [isSending, setSending] = useState(false)
  const isConfirmable = useIsConfirmable()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!form || state !== 'ready' || !isConfirmable || isSending) return
    setProblem(undefined)
    setSending(true)
    const { stripe, elements } = form
    try {
      const { error } = await stripe.confirmSetup({
        elements,
        redirect: 'if_required',
        confirmParams: { return_url: window.location.href },
      })
      if (!error) onSent()
      // What the form itself found wrong, it says itself.
      else if (error.type !== 'validation_error')
        setProblem(error.type === 'card_error' ? t('payment.failed') : t('payment.problem'))
    } catch {
      setProblem(t('payment.problem'))
    } finally {
      setSending(false)
    }
  }
  return (
    <form className={styles['form']} onSubmit={(event) => void submit(event)} noValidate>
      <p>{lead}</p>
      <div ref={place} />
      {state === 'loading' && (
        <p className={styles['waiting']} role="status">
          <Spinner size={16} immediate />
          {t('payment.loading')}
        </p>
      )}
      <Refusal text={state === 'failed' ? t('payment.problem') : problem} />
      <div className={styles['buttons']}>
        {leave}
        {state === 'failed' ? (
          <Button variant="primary" onClick={onAgain}>
            {t('payment.again')}
          </Button>
        ) : (
          <Button
            type="submit"
            variant="primary"
            disabled={!isConfirmable || state !== 'ready'}
            loading={isSending}
          >
            {t('payment.confirm')}
          </Button>
        )}
      </div>
    </form>
  )
}
