import { useEffect, useRef } from 'react'
import type { KeyboardEvent } from 'react'
import { t } from '../../../i18n/texts.ts'
import { formatCount } from '../../../lib/format.ts'
import { StateDot } from '../../../ui/index.ts'
import { isFinal } from '../running/run.ts'
import type { Run, StatementResult } from '../running/run.ts'
import { firstWords } from './ran-words.ts'
import { statementView } from './statement-view.ts'
import { stateOf } from './statement-state.ts'
import { tookText } from './took-text.ts'
import styles from './results.module.css'

/** What it answered, in short. */
function ChipFacts({ statement }: { statement: StatementResult | undefined }) {
  if (!statement || !isFinal(statement.state)) return null
  const rows = statement.fields.length > 0 ? `${formatCount(statement.totalRows)} · ` : ''
  return <span className={styles['chipFacts']}>{`${rows}${tookText(statement)}`}</span>
}

interface Props {
  readonly run: Run
  readonly shown: number
  readonly onChoose: (index: number) => void
  readonly panelId: string
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }

/** One for each statement of the run. */
export function StatementChips({ run, shown, onChoose, panelId }: Props) {
  const count = run.statementCount ?? 1
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const chip = list.current?.querySelectorAll('[role=tab]')[shown]
    chip?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
    // Chips come one by one, and the chosen one may move out of sight.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [shown, count])
  const pressed = (event: KeyboardEvent<HTMLElement>) => {
    const step = STEPS[event.key]
    const next = shown + (step ?? 0)
    if (step === undefined || next < 0 || next >= count) return
    event.preventDefault()
    onChoose(next)
    event.currentTarget.parentElement?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }
  return (
    <div ref={list} role="tablist" aria-label={t('editor.result.statements')} className={styles['chips']}>
      {Array.from({ length: count }, (_, index) => {
        const statement = run.statements.find((one) => one.index === index)
        const state = stateOf(statementView(run, statement), run.stopping)
        const word = t(`editor.result.state.${state.key}`)
        const name = `${index + 1} ${statement ? firstWords(statement.sql) : ''}`.trim()
        return (
          <button
            key={index}
            type="button"
            role="tab"
            className={styles['chip']}
            aria-label={`${name}, ${word}`}
            aria-selected={index === shown}
            aria-controls={panelId}
            tabIndex={index === shown ? 0 : -1}
            title={statement?.sql.slice(0, 300)}
            onClick={() => onChoose(index)}
            onKeyDown={pressed}
          >
            <StateDot tone={state.tone} pulse={state.key === 'running'}>
              <span className={styles['chipName']}>{name}</span>
            </StateDot>
            <ChipFacts statement={statement} />
          </button>
        )
      })}
    </div>
  )
}
