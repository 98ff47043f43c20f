import { lineColumnAt } from '@boathouse/sql'
import { useMemo } from 'react'
import { t } from '../../i18n/texts.ts'
import { SqlColored } from '../../statement/sql-colored.tsx'
import { sqlLines, type SqlPart, splitLine } from '../../statement/sql-parts.ts'
import { IconCopy } from '../../ui/icons.ts'
import { IconButton, useCopy } from '../../ui/index.ts'
import styles from './activity.module.css'

interface Props {
  readonly sql: string
  /** What went wrong, and where, when that is known. */
  readonly error: { readonly message: string; readonly offset: number | null } | null
}

/** The text in colours with its lines counted, and an error below the line it is in. */
export function SqlText({ sql, error }: Props) {
  const copy = useCopy()
  const at = error && error.offset !== null ? lineColumnAt(sql, error.offset) : null
  const lines = useMemo(() => sqlLines(sql), [sql])
  return (
    <figure className={styles['sql']} aria-label={t('activity.detail.text')}>
      {/* It scrolls sideways, so the keyboard must be able to reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} role="region" aria-label={t('activity.detail.text')}>
        {lines.map((line, index) => (
          <code key={index} data-wrong={at?.line === index + 1 || undefined}>
            <span aria-hidden>{index + 1}</span>
            {at?.line === index + 1 ? <Marked line={line} column={at.column} /> : <SqlColored parts={line} />}
            {'\n'}
          </code>
        ))}
      </pre>
      <IconButton label={t('ui.copy')} size="sm" onClick={() => copy(sql)}>
        <IconCopy size={15} aria-hidden />
      </IconButton>
      {error && (
        <figcaption>
          {at && `${t('activity.detail.errorAt', { line: at.line, column: at.column })}: `}
          {error.message}
        </figcaption>
      )}
    </figure>
  )
}

/** From the place of the error to the end of its word. */
function Marked({ line, column }: { line: readonly SqlPart[]; column: number }) {
  const [before, rest] = splitLine(line, column - 1)
  const wrong = /^(\w+|.)/u.exec(rest.map(({ text }) => text).join(''))?.[0] ?? ''
  const [, behind] = splitLine(rest, wrong.length)
  return (
    <>
      <SqlColored parts={before} />
      <mark>{wrong}</mark>
      <SqlColored parts={behind} />
    </>
  )
}
