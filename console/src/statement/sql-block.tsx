import { useMemo } from 'react'
import { CodeBlock } from '../ui/index.ts'
import { SqlColored } from './sql-colored.tsx'
import { sqlParts } from './sql-parts.ts'

/** SQL that is shown to be read and copied, in the colours of the editor. */
export function SqlBlock({ sql, label }: { sql: string; label: string }) {
  const parts = useMemo(() => sqlParts(sql), [sql])
  return (
    <CodeBlock code={sql} label={label}>
      <SqlColored parts={parts} />
    </CodeBlock>
  )
}
