import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent, RefObject } from 'react'
import { t } from '../../i18n/texts.ts'
import { isNumber, useKept } from '../../lib/kept.ts'
import { notify, Spinner } from '../../ui/index.ts'
import { ConflictBanner, ConnectionBanner, OwnerBanner } from './banners.tsx'
import { CommentsPart } from './comments/comments-part.tsx'
import { useEditorRuntime } from './editor-runtime.ts'
import { useEditorState } from './tabs/editor-store.ts'
import { isReadOnly, shownRun } from './tabs/editor-tab.ts'
import type { Tab } from './tabs/editor-tab.ts'
import { errorPlace } from './text/error-place.ts'
import { useCarefulRun } from './running/use-careful-run.tsx'
import { LivePart } from './together/live-part.tsx'
import { useLinkedLine } from './together/line-link.ts'
import { ParameterPart } from './parameters/parameter-part.tsx'
import { useBoundRun } from './parameters/use-bound-run.ts'
import { type PreviewPane, usePreviewPane } from './preview/use-preview-pane.ts'
import { runTarget } from './text/run-target.ts'
import type { RunMode } from './text/run-target.ts'
import { completionNames } from './schema/completion-names.ts'
import { SplitHandle } from '../../ui/split/split-handle.tsx'
import { textHeight } from './text/text-height.ts'
import type { SqlEditorHandle } from './text/use-editor-handle.ts'
import { Toolbar } from './toolbar.tsx'
import { useSplitHeight } from '../../ui/split/use-split-height.ts'
import styles from './editor-page.module.css'

// Loaded at once, so that they arrive while the query's text is on its way.
const editorModule = import('./text/sql-editor.tsx')
const resultsModule = import('./results/results.tsx')
const Results = lazy(async () => ({ default: (await resultsModule).Results }))
const SqlEditor = lazy(async () => ({ default: (await editorModule).SqlEditor }))

const PreviewPanel = lazy(async () => ({
  default: (await import('./preview/preview-panel.tsx')).PreviewPanel,
}))

const HEIGHTS = { share: 0.42, min: 96, minRest: 120 }

/** What the text does not need is given to the result as soon as there is one. */
const neededBy = (tab: Tab | undefined, least: number): number =>
  tab && shownRun(tab) ? Math.max(textHeight(tab.sql), least) : Infinity

/** A panel beside the text is no use without a few rows. */
const PANEL_PX = { preview: 240, comments: 360 }

interface Props {
  readonly tabId: string
  readonly sqlEditor: RefObject<SqlEditorHandle | null>
  /** The text has all the room; the next run brings the result back. */
  readonly hidesResult: boolean
  readonly onShowResult: () => void
  /** The user wants to see, or to change, the place of the tab. */
  readonly onPlace: () => void
  readonly onHistory: () => void
  readonly onVersions: () => void
  readonly onSchedule: () => void
  readonly onShare: () => void
  readonly onAssistant: (sql: string) => void
  /** With what is selected. */
  readonly onSnippets: (selected: string) => void
}

/** One tab: its text above, what it ran below. */
export function Workspace(props: Props) {
  const { tabId, sqlEditor, hidesResult, onShowResult, onPlace, onHistory, onVersions } = props
  const { store, runner } = useEditorRuntime()
  const area = useRef<HTMLDivElement>(null)
  const [kept, keep] = useKept<number | null>('text-height', null, isNumber)
  const preview = usePreviewPane()
  const [showsComments, setShowsComments] = useState(false)
  const toggleComments = useCallback(() => setShowsComments((shown) => !shown), [])
  const least = showsComments ? PANEL_PX.comments : preview.isOpen ? PANEL_PX.preview : 0
  const needed = useEditorState(store, ({ tabs }) => neededBy(tabs[tabId], least))
  const { height, max, setHeight } = useSplitHeight(area, { ...HEIGHTS, needed, kept, onKeep: keep })

  const { run: carefulRun, dialog } = useCarefulRun(tabId)
  const { run: boundRun, problem } = useBoundRun(tabId, carefulRun)
  const targetOf = useCallback(
    (mode: RunMode) => {
      const selection = sqlEditor.current?.selection() ?? { from: 0, to: 0, head: 0 }
      return runTarget(store.tab(tabId)?.sql ?? '', selection, mode)
    },
    [store, sqlEditor, tabId],
  )
  const run = useCallback(
    (mode: RunMode) => {
      if (store.tab(tabId)?.access === 'see')
        return void notify({ tone: 'info', message: t('editor.shared.mayNotRun') })
      const target = targetOf(mode)
      if (!target) notify({ tone: 'info', message: t('editor.toolbar.nothingToRun') })
      else if (boundRun(target)) onShowResult()
    },
    [store, tabId, boundRun, targetOf, onShowResult],
  )
  // Also from the result, the toolbar and the saved queries; the editor has its own keys.
  const pressed = (event: KeyboardEvent) => {
    const isRun = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.defaultPrevented
    if (!isRun) return
    event.preventDefault()
    if (event.altKey) preview.toggle()
    else run(event.shiftKey ? 'all' : 'statement')
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={styles['workspace']} onKeyDown={pressed}>
      <Toolbar
        tabId={tabId}
        target={() => targetOf('statement')}
        onRun={run}
        onStop={() => void runner.stop(tabId)}
        onPlace={onPlace}
        onHistory={onHistory}
        onVersions={onVersions}
        onComments={toggleComments}
        onSchedule={props.onSchedule}
        onShare={props.onShare}
        onAssistant={props.onAssistant}
        onSnippets={() => props.onSnippets(sqlEditor.current?.selectedText() ?? '')}
        onFormat={() => sqlEditor.current?.format()}
        preview={preview}
      />
      <OwnerBanner tabId={tabId} />
      <ConflictBanner tabId={tabId} />
      <ConnectionBanner tabId={tabId} />
      {dialog}
      <ParameterPart tabId={tabId} problem={problem} />
      <div ref={area} className={styles['stack']}>
        <div className={styles['text']} style={hidesResult ? { flex: 1 } : { height }} data-part="text">
          <Suspense fallback={<Loading />}>
            <TabText ref={sqlEditor} tabId={tabId} onRun={run} />
            <LivePart tabId={tabId} sqlEditor={sqlEditor} />
          </Suspense>
          <CommentsPart
            tabId={tabId}
            sqlEditor={sqlEditor}
            isOpen={showsComments}
            onToggle={toggleComments}
          />
          <Preview pane={preview} tabId={tabId} sqlEditor={sqlEditor} />
        </div>
        {!hidesResult && (
          <>
            <SplitHandle
              label={t('editor.split.result')}
              axis="y"
              value={height}
              min={HEIGHTS.min}
              max={max}
              onChange={setHeight}
            />
            <div className={styles['below']} data-part="result">
              <Suspense>
                <Results
                  tabId={tabId}
                  onGoTo={(offset) => sqlEditor.current?.goTo(offset)}
                  onMark={(place) => sqlEditor.current?.mark(place)}
                />
              </Suspense>
            </div>
          </>
        )}
      </div>
    </div>
  )
}

interface PreviewProps extends Pick<Props, 'tabId' | 'sqlEditor'> {
  readonly pane: PreviewPane
}

function Preview({ pane, tabId, sqlEditor }: PreviewProps) {
  const { store } = useEditorRuntime()
  const mayRun = useEditorState(store, ({ tabs }) => tabs[tabId]?.access !== 'see')
  if (!pane.isOpen || !mayRun) return null
  const cursorOf = () => sqlEditor.current?.selection().head ?? 0
  return (
    <Suspense>
      <PreviewPanel tabId={tabId} cursorOf={cursorOf} onClose={pane.toggle} />
    </Suspense>
  )
}

interface TextProps {
  readonly tabId: string
  readonly onRun: (mode: RunMode) => void
  readonly ref: RefObject<SqlEditorHandle | null>
}

/** A component of its own, so that a key renders the text and nothing around it: the grid below can be large. */
function TabText({ tabId, onRun, ref }: TextProps) {
  const { store, saver } = useEditorRuntime()
  const text = useEditorState(store, ({ tabs }) => tabs[tabId]?.sql ?? '')
  const shown = useEditorState(store, ({ tabs }) => tabs[tabId] && shownRun(tabs[tabId]))
  const readOnly = useEditorState(store, ({ tabs }) => tabs[tabId] !== undefined && isReadOnly(tabs[tabId]))
  const queries = useQueryClient()
  const names = useMemo(() => completionNames(queries, store), [queries, store])
  useLinkedLine(tabId, ref)
  return (
    <SqlEditor
      ref={ref}
      tabId={tabId}
      text={text}
      isReadOnly={readOnly}
      error={errorPlace(text, shown)}
      names={names}
      onEdit={saver.edit}
      onRemote={saver.takeRemote}
      onRun={onRun}
      onCursor={store.moveCursor}
    />
  )
}

function Loading() {
  return (
    <div className={styles['loading']}>
      <Spinner label={t('editor.text.loading')} />
    </div>
  )
}
