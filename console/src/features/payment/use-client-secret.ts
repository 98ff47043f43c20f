import { payment, type PaymentForm } from '@boathouse/contract/payment'
import { useEffect, useState } from 'react'
import { send } from '../../lib/api.ts'

export type SecretState =
  | { readonly state: 'loading' }
  | { readonly state: 'failed' }
  | { readonly state: 'ready'; readonly clientSecret: string; readonly form: PaymentForm }

/** Whether there is a customer, then the one or the other set-up. */
async function askForSecret(): Promise<{ clientSecret: string; form: PaymentForm }> {
  const { exists, form } = await send(payment.getCustomer, {}, { silent: true })
  const answer = exists
    ? await send(payment.setupPaymentMethod, { force: true }, { silent: true })
    : await send(payment.setupCustomer, {}, { silent: true })
  return { clientSecret: answer.clientSecret, form }
}

/** Asked when the dialog appears, and again by `ask`. */
export function useClientSecret() {
  const [turn, setTurn] = useState(0)
  const [known, setKnown] = useState<{ turn: number; secret: SecretState }>()
  useEffect(() => {
    let isWanted = true
    const settle = (secret: SecretState) => isWanted && setKnown({ turn, secret })
    askForSecret().then(
      (answer) => settle({ state: 'ready', ...answer }),
      () => settle({ state: 'failed' }),
    )
    return () => {
      isWanted = false
    }
  }, [turn])
  const secret: SecretState = known?.turn === turn ? known.secret : { state: 'loading' }
  return { secret, ask: () => setTurn((before) => before + 1) }
}
