import { t } from '../../../i18n/texts.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { IconCopy } from '../../../ui/icons.ts'
import { Button, IconButton, Panel, StateDot, type Tone, useCopy } from '../../../ui/index.ts'
import styles from '../security.module.css'
import { DownloadButton } from './download-button.tsx'
import type { Verification } from './use-verification.ts'

interface Props {
  readonly verification: Verification
  readonly onStart: () => void
  readonly onStop: () => void
}

/** What is known of the whole log, and how to know more. */
export function VerificationBar({ verification, onStart, onStop }: Props) {
  const { state } = verification
  return (
    <Panel>
      <div className={styles['row']}>
        <div role="status">
          <Verdict verification={verification} />
        </div>
        {state === 'good' && <Head head={verification.head} />}
        <span className={styles['end']} />
        {state === 'running' ? (
          <Button onClick={onStop}>{t('audit.verify.stop')}</Button>
        ) : (
          <Button onClick={onStart}>
            {t(state === 'none' ? 'audit.verify.start' : 'audit.verify.again')}
          </Button>
        )}
        <DownloadButton />
      </div>
    </Panel>
  )
}

function verdictOf(verification: Verification): { readonly tone: Tone; readonly text: string } {
  switch (verification.state) {
    case 'none':
      return { tone: 'neutral', text: t('audit.verify.none') }
    case 'running': {
      const { checked, total } = verification
      const values = { checked: checked.toLocaleString('en'), total: total.toLocaleString('en') }
      return { tone: 'accent', text: t('audit.verify.running', values) }
    }
    case 'good': {
      const { checked: count, at } = verification
      return { tone: 'ok', text: t('audit.verify.good', { count, time: formatDateTime(at) }) }
    }
    case 'bad':
      return { tone: 'err', text: t('audit.verify.bad', { problem: verification.problem }) }
    case 'failed':
      return { tone: 'warn', text: t('audit.verify.failed', { why: verification.why }) }
  }
}

function Verdict({ verification }: Pick<Props, 'verification'>) {
  const { tone, text } = verdictOf(verification)
  return (
    <StateDot tone={tone} pulse={verification.state === 'running'}>
      <span style={{ whiteSpace: 'normal' }}>{text}</span>
    </StateDot>
  )
}

/** Kept elsewhere, it proves later that this part of the log is still what it was. */
function Head({ head }: { head: string }) {
  const copy = useCopy()
  return (
    <span className={styles['row']} title={`${t('audit.verify.head')}: ${head}`}>
      <code>{head.slice(0, 12)}…</code>
      <IconButton label={t('audit.verify.copyHead')} size="sm" onClick={() => copy(head)}>
        <IconCopy size={14} aria-hidden />
      </IconButton>
    </span>
  )
}
