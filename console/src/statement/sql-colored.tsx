import type { CSSProperties } from 'react'
import type { SqlPart } from './sql-parts.ts'

/** The colours of the editor. Several pages show a statement: a sheet of its own would weigh more than these. */
const LOOKS: Readonly<Record<NonNullable<SqlPart['kind']>, CSSProperties>> = {
  keyword: { color: 'var(--accent)', fontWeight: 600 },
  string: { color: 'var(--ok)' },
  number: { color: 'var(--warn)' },
  comment: { color: 'var(--muted)', fontStyle: 'italic' },
}

/** SQL in the colours of the editor. */
export const SqlColored = ({ parts }: { parts: readonly SqlPart[] }) =>
  parts.map(({ text, kind }, index) =>
    kind === null ? (
      text
    ) : (
      <span key={index} style={LOOKS[kind]} data-kind={kind}>
        {text}
      </span>
    ),
  )
