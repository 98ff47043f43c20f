import type { ResultComparison } from '@boathouse/contract/result-work'
import { useMemo, useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { Grid } from '../../../ui/grid/grid.tsx'
import { EmptyState, Segmented } from '../../../ui/index.ts'
import styles from './comparison.module.css'

const KINDS = ['added', 'removed', 'changed'] as const
type Kind = (typeof KINDS)[number]

const exact = (count: number): string => count.toLocaleString('en-US')

interface Props {
  readonly of: ResultComparison
  readonly hasKey: boolean
}

/** What differs, one kind at a time. */
export function Differences({ of, hasKey }: Props) {
  const kinds = KINDS.filter((kind) => hasKey || kind !== 'changed')
  const [chosen, setChosen] = useState<Kind>(() => kinds.find((kind) => of[kind].count > 0) ?? 'added')
  if (of.repeatedKeys > 0)
    return (
      <p role="alert">
        {t('comparison.repeated', { count: of.repeatedKeys, shown: exact(of.repeatedKeys) })}
      </p>
    )
  const isSame = KINDS.every((kind) => of[kind].count === 0)
  const same = { count: of.same, shown: exact(of.same) }
  return (
    <>
      <Notes of={of} />
      {isSame ? (
        <EmptyState title={t('comparison.same', same)}>{null}</EmptyState>
      ) : (
        <>
          <div className={styles['kinds']}>
            <Segmented
              label={t('comparison.kind')}
              value={chosen}
              segments={kinds.map((value) => ({
                value,
                label: t(`comparison.${value}`),
                count: of[value].count,
              }))}
              onChange={setChosen}
            />
            <span className={styles['note']}>{t('comparison.equal', same)}</span>
          </div>
          <Rows of={of} kind={chosen} />
        </>
      )}
    </>
  )
}

function Notes({ of: { onlyHere, onlyEarlier, complete } }: Pick<Props, 'of'>) {
  const notes = [
    onlyHere.length > 0 ? t('comparison.onlyHere', { names: onlyHere.join(', ') }) : null,
    onlyEarlier.length > 0 ? t('comparison.onlyEarlier', { names: onlyEarlier.join(', ') }) : null,
    complete ? null : t('comparison.part'),
  ].filter((note) => note !== null)
  return notes.length > 0 && <p className={styles['warning']}>{notes.join(' ')}</p>
}

/** Of rows that changed, how they were stands above how they are. */
function linesOf({ added, removed, changed }: ResultComparison, kind: Kind) {
  if (kind !== 'changed') return { lines: (kind === 'added' ? added : removed).rows, found: undefined }
  const lines = changed.rows.flatMap(({ before, now }) => [
    [t('comparison.before'), ...before],
    [t('comparison.now'), ...now],
  ])
  const found = new Map(
    changed.rows.flatMap(({ differs }, at) => {
      const columns = new Set(differs.map((column) => column + 1))
      return [[2 * at, columns] as const, [2 * at + 1, columns] as const]
    }),
  )
  return { lines, found }
}

const lookAtNothing = (): void => undefined
const SAMPLE_ROWS = 50

function Rows({ of, kind }: { readonly of: ResultComparison; readonly kind: Kind }) {
  const { lines, found } = useMemo(() => linesOf(of, kind), [of, kind])
  if (lines.length === 0)
    return <EmptyState title={t('comparison.none')}>{t('comparison.noneBody')}</EmptyState>
  const side = { name: t('comparison.side'), type: '', family: 'text' }
  const { rows, count } = of[kind]
  return (
    <>
      <div className={styles['rows']}>
        <Grid
          key={kind}
          label={t('comparison.table')}
          columns={(kind === 'changed' ? [side, ...of.columns] : of.columns).map((column, id) => ({
            ...column,
            id,
          }))}
          rows={{ count: lines.length, at: (at) => lines[at], lengthAt: () => undefined }}
          sample={lines.slice(0, SAMPLE_ROWS)}
          pinned={kind === 'changed' ? 1 : 0}
          {...(found ? { found } : {})}
          onLook={lookAtNothing}
          onOpen={lookAtNothing}
        />
      </div>
      {rows.length < count && (
        <p className={styles['note']}>
          {t('comparison.first', { shown: exact(rows.length), all: exact(count) })}
        </p>
      )}
    </>
  )
}
