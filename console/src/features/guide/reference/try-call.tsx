import { type KeyboardEvent, useMemo, useState } from 'react'
import { formatBytes } from '../../../lib/format.ts'
import { type RawAnswer, rawCall } from '../../../lib/raw-call.ts'
import { session } from '../../../lib/session.ts'
import { t } from '../../../i18n/texts.ts'
import { Button, CodeArea, CodeBlock, ConfirmDialog, Refusal } from '../../../ui/index.ts'
import { type BodyProblem, checkBody, refusedField } from './check-body.ts'
import type { ReferenceCall } from './document.ts'
import { prettyJson } from './examples.ts'
import styles from './reference.module.css'
import type { Schemas } from './schema.ts'

interface Props {
  readonly call: ReferenceCall
  readonly schemas: Schemas
  /** The smallest body that it takes. */
  readonly example: unknown
}

/** More than this makes the page slow, and nobody reads it. */
const SHOWN_LENGTH = 100_000

interface Shown extends RawAnswer {
  readonly code: string
  readonly pretty: string
  readonly refusal: string
}

function readAnswer(answer: RawAnswer): Shown {
  try {
    const value = JSON.parse(answer.text) as { code?: number; message?: unknown; data?: unknown }
    const refusal = value.data === null && typeof value.message === 'string' ? value.message : ''
    return { ...answer, code: String(value.code ?? ''), pretty: prettyJson(value), refusal }
  } catch {
    // A proxy's own page: it is shown as it came.
    return { ...answer, code: '', pretty: answer.text, refusal: '' }
  }
}

/** A call that is really made, with a body that can be edited. */
export function TryCall({ call, schemas, example }: Props) {
  const initial = call.input ? prettyJson(example) : ''
  const [text, setText] = useState(initial)
  const [isAsking, setAsking] = useState(false)
  const [isRunning, setRunning] = useState(false)
  const [answer, setAnswer] = useState<Shown>()
  const [trouble, setTrouble] = useState<string>()
  const checked = useMemo(
    () => (call.input ? checkBody(text, call.input, schemas) : { value: {}, problems: [] }),
    [call, text, schemas],
  )
  const refused = answer?.refusal ? refusedField(answer.refusal, text) : null

  async function run(): Promise<void> {
    setAsking(false)
    setRunning(true)
    setTrouble(undefined)
    setAnswer(undefined)
    try {
      const body = call.input ? JSON.stringify(checked.value) : ''
      setAnswer(readAnswer(await rawCall({ ...call, body })))
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      setTrouble(t('reference.try.notSent', { problem }))
    } finally {
      setRunning(false)
    }
  }

  const start = () => {
    if (isRunning || checked.value === undefined) return
    if (call.changes) setAsking(true)
    else void run()
  }
  const keyPressed = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    start()
  }

  return (
    <section className={styles['try']} aria-labelledby="try-it">
      <h2 id="try-it">{t('reference.try.title')}</h2>
      <p>{t('reference.try.lead', { user: session.get().user?.user ?? '' })}</p>
      {call.input && (
        <>
          <CodeArea
            label={t('reference.try.body')}
            value={text}
            rows={Math.min(20, Math.max(3, text.split('\n').length))}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={keyPressed}
          />
          <Problems problems={[...checked.problems, ...(refused ? [refused] : [])]} />
        </>
      )}
      <div className={styles['actions']}>
        <Button variant="primary" loading={isRunning} disabled={checked.value === undefined} onClick={start}>
          {t('reference.try.run')}
        </Button>
        {text !== initial && <Button onClick={() => setText(initial)}>{t('reference.try.reset')}</Button>}
      </div>
      <Refusal text={trouble} />
      {answer && <Answer answer={answer} />}
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={run}
        title={t('reference.try.confirm.title', { path: call.path })}
        confirmLabel={t('reference.try.confirm.run')}
        danger
      >
        <p>{t('reference.try.confirm.text')}</p>
      </ConfirmDialog>
    </section>
  )
}

function Problems({ problems }: { problems: readonly BodyProblem[] }) {
  return (
    <ul className={styles['problems']} role="status" aria-label={t('reference.try.problems')}>
      {problems.map(({ path, message, line }) => (
        <li key={`${path} ${message}`}>
          {path === ''
            ? t('reference.try.problem', { line, message })
            : t('reference.try.problemAt', { line, path, message })}
        </li>
      ))}
    </ul>
  )
}

function Answer({ answer: { status, ms, text, code, pretty } }: { answer: Shown }) {
  const size = formatBytes(new Blob([text]).size)
  const isLong = pretty.length > SHOWN_LENGTH
  return (
    <div role="status" className={styles['answer']}>
      <p className={styles['facts']} data-ok={status === 200}>
        {t('reference.try.facts', { status, code, ms: Math.round(ms), size })}
      </p>
      <CodeBlock code={isLong ? pretty.slice(0, SHOWN_LENGTH) : pretty} label={t('reference.try.answer')} />
      {isLong && <p>{t('reference.try.shortened', { size: formatBytes(SHOWN_LENGTH) })}</p>}
    </div>
  )
}
