import type { SqlPart } from './sql-parts.ts'
import styles from './sql-colored.module.css'

/** SQL in the colours of the editor. */
export const SqlColored = ({ parts }: { parts: readonly SqlPart[] }) =>
  parts.map(({ text, kind }, index) =>
    kind === null ? (
      text
    ) : (
      <span key={index} className={styles['part']} data-kind={kind}>
        {text}
      </span>
    ),
  )
