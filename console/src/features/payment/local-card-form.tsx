import { payment } from '@boathouse/contract/payment'
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { t } from '../../i18n/texts.ts'
import { type CallError, useAction } from '../../lib/api.ts'
import { Button, type Problems, Refusal, TextField, useProblems } from '../../ui/index.ts'
import styles from './payment.module.css'
import { type CardProblems, type EnteredCard, GOOD_TEST_CARD, isRead, readCard } from './test-cards.ts'
import { useIsConfirmable } from './use-is-confirmable.ts'

interface Props {
  readonly clientSecret: string
  readonly lead: string
  readonly leave: ReactNode
  readonly onSent: () => void
}

const NOTHING: EnteredCard = { number: '', expires: '', code: '' }

const problemOf = (error: CallError | null): string | undefined => {
  if (!error) return undefined
  return error.codeName === 'PaymentFailed' || error.codeName === 'NetworkError'
    ? t('payment.problem')
    : error.message
}

const wordsOf = (problems: CardProblems): Problems =>
  Object.fromEntries(Object.entries(problems).map(([name, problem]) => [name, t(`payment.${problem}`)]))

/** The browser's part of the local provider. */
export function LocalCardForm({ clientSecret, lead, leave, onSent }: Props) {
  const [entered, setEntered] = useState(NOTHING)
  const [isDeclined, setDeclined] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const isConfirmable = useIsConfirmable()
  const confirm = useAction(payment.confirmTestCard, { silent: true })
  const [today] = useState(() => new Date())
  const read = readCard(entered, today)
  const problems = useProblems(isRead(read) ? {} : wordsOf(read))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isConfirmable || confirm.isPending) return
    setDeclined(false)
    if (!problems.accept() || !isRead(read)) return
    confirm.mutate(
      { clientSecret, ...read },
      {
        onSuccess: ({ state }) => {
          if (state === 'succeeded') onSent()
          else if (state === 'challenge') setAsked(true)
          else setDeclined(true)
        },
      },
    )
  }
  if (isAsked)
    return (
      <BankQuestion
        clientSecret={clientSecret}
        onAnswer={(passed) => {
          setAsked(false)
          if (passed) onSent()
          else setDeclined(true)
        }}
      />
    )
  const field = (name: keyof EnteredCard) => ({
    value: entered[name],
    ...problems.of(name),
    onChange: (event: { target: { value: string } }) =>
      setEntered((before) => ({ ...before, [name]: event.target.value })),
    autoComplete: 'off',
    inputMode: 'numeric' as const,
  })
  return (
    <form className={styles['form']} onSubmit={submit} noValidate>
      <p>{lead}</p>
      <p className={styles['note']}>{t('payment.local', { number: GOOD_TEST_CARD })}</p>
      <TextField label={t('payment.number')} mono data-autofocus {...field('number')} />
      <div className={styles['two']}>
        <TextField
          label={t('payment.expires')}
          placeholder={t('payment.expiresHelp')}
          {...field('expires')}
        />
        <TextField label={t('payment.code')} {...field('code')} />
      </div>
      <Refusal text={isDeclined ? t('payment.failed') : problemOf(confirm.error)} />
      <div className={styles['buttons']}>
        {leave}
        <Button type="submit" variant="primary" disabled={!isConfirmable} loading={confirm.isPending}>
          {t('payment.confirm')}
        </Button>
      </div>
    </form>
  )
}

/** Asked in place; nobody is led away. */
function BankQuestion({
  clientSecret,
  onAnswer,
}: {
  clientSecret: string
  onAnswer: (passed: boolean) => void
}) {
  const answer = useAction(payment.answerTestChallenge, { silent: true })
  const say = (passes: boolean) =>
    answer.mutate({ clientSecret, passes }, { onSuccess: ({ state }) => onAnswer(state === 'succeeded') })
  return (
    <section className={styles['form']} aria-labelledby="bank-asks">
      <h2 id="bank-asks">{t('payment.bank.title')}</h2>
      <p>{t('payment.bank.body')}</p>
      <Refusal text={problemOf(answer.error)} />
      <div className={styles['buttons']}>
        <Button onClick={() => say(false)}>{t('payment.bank.no')}</Button>
        <Button variant="primary" loading={answer.isPending} onClick={() => say(true)}>
          {t('payment.bank.yes')}
        </Button>
      </div>
    </section>
  )
}
