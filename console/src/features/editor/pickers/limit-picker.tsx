import { LIMITS } from '@boathouse/contract/limits'
import { lazy } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { useEditorState } from '../tabs/editor-store.ts'
import { limitWords } from './limit-words.ts'
import { Pill } from './pill.tsx'
import styles from '../editor-page.module.css'

const LimitMenu = lazy(async () => ({ default: (await import('./limit-menu.tsx')).LimitMenu }))

/** How many rows a SELECT computes: follows SET sql_select_limit, and sets it before the next run. */
export function LimitPicker({ tabId }: { tabId: string }) {
  const { store } = useEditorRuntime()
  const limit = useEditorState(store, ({ tabs }) => tabs[tabId]?.rowLimit ?? '')
  return (
    <Pill
      hint={t('editor.status.limitHint', { rows: LIMITS.selectRows.toLocaleString('en-US') })}
      className={styles['limit']}
      menu={<LimitMenu tabId={tabId} limit={limit} />}
    >
      {limitWords(limit || String(LIMITS.selectRows))}
    </Pill>
  )
}
