import { lazy } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { IconDatabase } from '../icons.ts'
import { useEditorState } from '../tabs/editor-store.ts'
import { Pill } from './pill.tsx'
import styles from '../toolbar.module.css'

const PlaceMenu = lazy(async () => ({ default: (await import('./place-menu.tsx')).PlaceMenu }))

interface Props {
  readonly tabId: string
  readonly onShowTree: () => void
}

/** The place of the tab: it follows USE and SET CATALOG, and can be chosen. */
export function PlacePicker({ tabId, onShowTree }: Props) {
  const { store } = useEditorRuntime()
  const catalog = useEditorState(store, ({ tabs }) => tabs[tabId]?.catalog ?? '')
  const database = useEditorState(store, ({ tabs }) => tabs[tabId]?.database ?? '')
  return (
    <Pill
      hint={t('editor.toolbar.place')}
      menu={<PlaceMenu tabId={tabId} place={{ catalog, database }} onShowTree={onShowTree} />}
    >
      <IconDatabase size={15} stroke={1.6} aria-hidden />
      <span className="visually-hidden">{t('editor.toolbar.place')}: </span>
      <span className={styles['name']}>
        {[catalog, database].filter(Boolean).join('.') || t('editor.toolbar.defaultPlace')}
      </span>
    </Pill>
  )
}
