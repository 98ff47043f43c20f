import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { formatBytes } from '../../lib/format.ts'
import { Button, CodeArea } from '../../ui/index.ts'
import styles from './load.module.css'
import { fileOfPasted, MOST_PASTED } from './pasted-file.ts'

interface Props {
  readonly onFile: (file: File) => void
  readonly onClose: () => void
}

/** It was opened to paste into it. */
const takesFocus = (area: HTMLTextAreaElement | null) => area?.focus()

/** Cells that were copied from a spreadsheet, in place of a file. */
export function PasteTable({ onFile, onClose }: Props) {
  const [text, setText] = useState('')
  const isTooLong = text.length > MOST_PASTED
  const take = () => {
    onFile(fileOfPasted(text, Date.now()))
    onClose()
  }
  return (
    <div className={styles['stack']}>
      <CodeArea
        ref={takesFocus}
        label={t('load.paste.label')}
        help={t('load.paste.help')}
        error={isTooLong ? t('load.paste.tooLong', { most: formatBytes(MOST_PASTED) }) : undefined}
        rows={8}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className={styles['fields']}>
        <Button variant="primary" disabled={text.trim() === '' || isTooLong} onClick={take}>
          {t('load.paste.use')}
        </Button>
        <Button onClick={onClose}>{t('load.paste.cancel')}</Button>
      </div>
    </div>
  )
}
