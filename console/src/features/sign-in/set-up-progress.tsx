import { SET_UP_STEPS, signUpCalls } from '@boathouse/contract/sign-up'
import type { Output } from '@boathouse/contract/call'
import { useEffect, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { send } from '../../lib/api.ts'
import { IconCircle, IconCircleCheck, IconCopy } from '../../ui/icons.ts'
import { Button, buttonClassName, Spinner, useCopy } from '../../ui/index.ts'
import { Asking } from './choose-password.tsx'
import { Outcome } from './outcome.tsx'
import { refusalText } from './refusal.ts'
import formStyles from './sign-in.module.css'
import styles from './sign-up.module.css'

const ASK_MS = 1_500

type Progress = Output<typeof signUpCalls.setUpProgress>

interface Props {
  readonly setUpToken: string
  readonly signInAddress: (place: Progress) => string
}

/** What the service says of the account, asked until it is ready. */
export function SetUpProgress({ setUpToken, signInAddress }: Props) {
  const { progress, refused } = useProgress(setUpToken)
  if (refused !== undefined && !progress)
    return (
      <Outcome tone="failed" title={t('signUp.linkTitle')}>
        <p>{refused}</p>
      </Outcome>
    )
  if (!progress) return <Asking />
  if (progress.failed)
    return (
      <Outcome tone="failed" title={t('signUp.progress.failedTitle')}>
        <p>{t('signUp.progress.failed', { account: progress.accountId })}</p>
      </Outcome>
    )
  if (progress.step === 'done') return <Ready progress={progress} address={signInAddress(progress)} />
  return (
    <section aria-live="polite">
      <h1 className={formStyles['title']}>{t('signUp.progress.title')}</h1>
      <p className={styles['below']}>{t('signUp.progress.lead')}</p>
      <Steps at={progress.step} />
      {refused !== undefined && <p className={styles['small']}>{refused}</p>}
    </section>
  )
}

function useProgress(setUpToken: string) {
  const [progress, setProgress] = useState<Progress>()
  const [refused, setRefused] = useState<string>()
  useEffect(() => {
    const stop = new AbortController()
    let timer: number | undefined
    const ask = async () => {
      try {
        const next = await send(
          signUpCalls.setUpProgress,
          { setUpToken },
          { silent: true, signal: stop.signal },
        )
        setProgress(next)
        setRefused(undefined)
        if (next.step === 'done' || next.failed) return
      } catch (failure) {
        if (stop.signal.aborted) return
        setRefused(refusalText(failure, t('signIn.noAnswer')))
      }
      timer = window.setTimeout(() => void ask(), ASK_MS)
    }
    void ask()
    return () => {
      stop.abort()
      window.clearTimeout(timer)
    }
  }, [setUpToken])
  return { progress, refused }
}

function Steps({ at }: { at: Progress['step'] }) {
  const now = SET_UP_STEPS.indexOf(at) + 1
  return (
    <ol className={styles['steps']}>
      {(['account', 'engine', 'samples'] as const).map((step, index) => {
        const state = index < now ? 'done' : index === now ? 'now' : 'later'
        return (
          <li key={step} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
            {state === 'done' && <IconCircleCheck size={16} aria-hidden />}
            {state === 'now' && <Spinner size={16} immediate />}
            {state === 'later' && <IconCircle size={16} aria-hidden />}
            {t(`signUp.progress.${step}`)}
          </li>
        )
      })}
    </ol>
  )
}

/** The page with the account's address and id. */
function Ready({ progress, address }: { progress: Progress; address: string }) {
  const copy = useCopy()
  const full = new URL(address, window.location.origin).href
  const facts = [
    { label: t('signIn.accountId'), value: progress.accountId },
    { label: t('signIn.userName'), value: progress.user },
    { label: t('signUp.progress.address'), value: full },
  ]
  const signIn = (
    <a href={address} className={buttonClassName({ variant: 'primary', size: 'lg', fullWidth: true })}>
      {t('signIn.submit')}
    </a>
  )
  return (
    <Outcome tone="done" title={t('signUp.progress.readyTitle')} actions={signIn}>
      <p>{t('signUp.progress.ready')}</p>
      <dl className={styles['facts']}>
        {facts.map(({ label, value }) => (
          <div key={label} style={{ display: 'contents' }}>
            <dt>{label}</dt>
            <dd>
              <code>{value}</code>
              <Button
                variant="subtle"
                size="sm"
                aria-label={t('signUp.copyOf', { label })}
                onClick={() => copy(value)}
                leftIcon={<IconCopy size={15} aria-hidden />}
              />
            </dd>
          </div>
        ))}
      </dl>
    </Outcome>
  )
}
