import type { ReactNode } from 'react'
import { t } from '../i18n/texts.ts'
import styles from './code-block.module.css'
import { useCopy } from './copy.tsx'
import { IconButton } from './icon-button.tsx'
import { IconCopy } from './icons.ts'

interface Props {
  readonly code: string
  /** What the text is, for those who hear the page. */
  readonly label: string
  /** The same text as it is shown, such as in colours. */
  readonly children?: ReactNode
}

export function CodeBlock({ code, label, children = code }: Props) {
  const copy = useCopy()
  return (
    <figure className={styles['block']} aria-label={label}>
      {/* It scrolls sideways, so the keyboard must be able to reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className={styles['code']} tabIndex={0} role="region" aria-label={label}>
        <code>{children}</code>
      </pre>
      <span className={styles['copy']}>
        <IconButton label={t('ui.copy')} size="sm" onClick={() => copy(code)}>
          <IconCopy size={15} aria-hidden />
        </IconButton>
      </span>
    </figure>
  )
}
