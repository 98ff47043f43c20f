import { lazy, Suspense } from 'react'
import { t } from '../../i18n/texts.ts'
import { Button, IconButton, keyNames, Menu, Tooltip } from '../../ui/index.ts'
import { Elapsed } from './running/elapsed.tsx'
import { useEditorRuntime } from './editor-runtime.ts'
import { useEditorState } from './tabs/editor-store.ts'
import { runningRun } from './tabs/editor-tab.ts'
import { IconChevronDown, IconEye, IconHistory, IconPlayerPlayFilled, IconPlayerStopFilled } from './icons.ts'
import type { RunMode, RunTarget } from './text/run-target.ts'
import { PlacePicker } from './pickers/place-picker.tsx'
import type { PreviewPane } from './preview/use-preview-pane.ts'
import { TextActions } from './text-actions.tsx'
import { WarehousePicker } from './pickers/warehouse-picker.tsx'
import styles from './toolbar.module.css'

const RunCost = lazy(async () => ({ default: (await import('./running/run-cost.tsx')).RunCost }))

interface Props {
  readonly tabId: string
  /** What Run would send now. */
  readonly target: () => RunTarget | null
  readonly onRun: (mode: RunMode) => void
  readonly onStop: () => void
  readonly onPlace: () => void
  readonly onHistory: () => void
  readonly onFormat: () => void
  readonly onVersions: () => void
  readonly onComments: () => void
  /** Of a query of one's own. */
  readonly onSchedule: () => void
  readonly onShare: () => void
  /** With the statement at the cursor. */
  readonly onAssistant: (sql: string) => void
  readonly onSnippets: () => void
  readonly preview: PreviewPane
}

export function Toolbar(props: Props) {
  const { tabId, target, onRun, onStop, onPlace, onHistory, onFormat, onVersions, preview } = props
  const { store } = useEditorRuntime()
  const run = useEditorState(store, ({ tabs }) => tabs[tabId] && runningRun(tabs[tabId]))
  const mayRun = useEditorState(store, ({ tabs }) => tabs[tabId]?.access !== 'see')
  const isOwn = useEditorState(store, ({ tabs }) => tabs[tabId]?.access === 'own')
  // 0 until the engine knows better.
  const progress = run?.statements.at(-1)?.progress || null
  return (
    <div className={styles['toolbar']} role="toolbar" aria-label={t('editor.toolbar.label')}>
      <div className={styles['runGroup']}>
        <Tooltip label={`${t('editor.toolbar.runStatement')} (${keyNames('Mod', 'Enter')})`}>
          <Button
            variant="primary"
            disabled={run !== undefined || !mayRun}
            leftIcon={<IconPlayerPlayFilled size={13} aria-hidden />}
            onClick={() => onRun('statement')}
          >
            {t('editor.toolbar.run')}
          </Button>
        </Tooltip>
        <Menu
          label={t('editor.toolbar.runMore')}
          position="bottom-start"
          width={310}
          entries={runEntries(props)}
          trigger={
            <Button
              variant="primary"
              className={styles['more']}
              disabled={run !== undefined || !mayRun}
              aria-label={t('editor.toolbar.runMore')}
            >
              <IconChevronDown size={14} aria-hidden />
            </Button>
          }
        />
      </div>
      {run && (
        <>
          <Button
            loading={run.stopping}
            leftIcon={<IconPlayerStopFilled size={13} aria-hidden />}
            onClick={onStop}
          >
            {run.stopping ? t('editor.toolbar.stopping') : t('editor.toolbar.stop')}
          </Button>
          <span className={styles['elapsed']}>
            <Elapsed run={run} />
            {progress !== null && ` · ${t('editor.toolbar.progress', { percent: Math.round(progress) })}`}
          </span>
        </>
      )}
      <span className={styles['space']} />
      <IconButton label={t('editor.history.title')} size="sm" onClick={onHistory}>
        <IconHistory size={16} stroke={1.6} aria-hidden />
      </IconButton>
      {mayRun && <PreviewSwitch preview={preview} />}
      <TextActions
        tabId={tabId}
        onFormat={onFormat}
        onVersions={onVersions}
        onComments={props.onComments}
        onSnippets={props.onSnippets}
        onAssistant={() => props.onAssistant(target()?.sql ?? '')}
        {...(isOwn && { onSchedule: props.onSchedule, onShare: props.onShare })}
      />
      <WarehousePicker tabId={tabId} />
      <PlacePicker tabId={tabId} onShowTree={onPlace} />
    </div>
  )
}

function PreviewSwitch({ preview: { isOpen, toggle } }: { preview: PreviewPane }) {
  const label = `${t('editor.toolbar.preview')} (${keyNames('Mod', 'Alt', 'Enter')})`
  return (
    <IconButton label={label} size="sm" aria-pressed={isOpen} onClick={toggle}>
      <IconEye size={16} stroke={1.6} aria-hidden />
    </IconButton>
  )
}

function runEntries({ tabId, target, onRun }: Props) {
  return [
    {
      label: t('editor.toolbar.runStatement'),
      hint: keyNames('Mod', 'Enter'),
      onSelect: () => onRun('statement'),
    },
    { label: t('editor.toolbar.explain'), onSelect: () => onRun('explain') },
    { label: t('editor.toolbar.analyse'), onSelect: () => onRun('analyse') },
    { label: t('editor.toolbar.profile'), onSelect: () => onRun('profile') },
    {
      label: t('editor.toolbar.runAll'),
      hint: keyNames('Mod', 'Shift', 'Enter'),
      onSelect: () => onRun('all'),
    },
    { kind: 'divider' },
    {
      kind: 'heading',
      label: (
        <Suspense>
          <RunCost tabId={tabId} target={target} />
        </Suspense>
      ),
    },
  ] as const
}
