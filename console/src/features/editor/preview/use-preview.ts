import { bindParameters } from '@boathouse/contract/bound-parameters'
import type { Output } from '@boathouse/contract/call'
import { query } from '@boathouse/contract/query'
import { namedParametersIn } from '@boathouse/sql'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { send } from '../../../lib/api.ts'
import { useSettled } from '../../../lib/settled.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { useEditorState } from '../tabs/editor-store.ts'
import { previewedAt } from './previewed.ts'

export type PreviewRows = Output<typeof query.preview>

/** Without a key for this long, somebody looks at what was written. */
const PAUSE_MS = 250
/** As long as that, the same text shows the same rows without a run. */
const FRESH_MS = 10_000

/** The first rows of what is at the cursor. They are asked for when writing pauses, and given up at the next key. */
export function usePreview(tabId: string, cursorOf: () => number) {
  const { store } = useEditorRuntime()
  const queries = useQueryClient()
  const text = useEditorState(store, ({ tabs }) => tabs[tabId]?.sql ?? '')
  const cursor = useEditorState(store, (state) => state.cursor)
  const parameters = useEditorState(store, ({ tabs }) => tabs[tabId]?.parameters)
  const catalog = useEditorState(store, ({ tabs }) => tabs[tabId]?.catalog ?? '')
  const database = useEditorState(store, ({ tabs }) => tabs[tabId]?.database ?? '')
  const warehouse = useEditorState(store, ({ tabs }) => tabs[tabId]?.warehouse ?? '')
  const now = useMemo(() => ({ tabId, text, cursor }), [tabId, text, cursor])
  const settled = useSettled(now, PAUSE_MS)
  const isWriting = settled.text !== text || settled.tabId !== tabId
  // The cursor of the settled text: the store knows its line and column only.
  // oxlint-disable-next-line react/exhaustive-deps
  const previewed = useMemo(() => previewedAt(settled.text, cursorOf()), [settled])
  const bound = useMemo(
    () =>
      previewed.kind === 'rows'
        ? bindParameters(namedParametersIn(previewed.sql), parameters ?? [])
        : { values: {} },
    [previewed, parameters],
  )
  const unbound = 'problem' in bound ? bound.name : null
  const isAsked = !isWriting && previewed.kind === 'rows' && unbound === null
  const hasValues = 'values' in bound && Object.keys(bound.values).length > 0
  const order = isAsked
    ? { sql: previewed.sql, catalog, database, warehouse, ...(hasValues && { values: bound.values }) }
    : null
  const queryKey = ['query-preview', tabId, order]
  const shown = useQuery({
    queryKey,
    queryFn: ({ signal }) => (order ? send(query.preview, order, { signal, silent: true }) : null),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    gcTime: FRESH_MS,
    retry: false,
  })
  const resume = useMutation({
    mutationFn: async () => order && send(query.preview, { ...order, resumes: true }, { silent: true }),
    onSuccess: (rows) => queries.setQueryData(queryKey, rows),
  })
  return {
    previewed,
    unbound,
    rows: shown.data ?? null,
    /** What is shown is of an earlier text. */
    isStale: isWriting || shown.isPlaceholderData,
    isLoading: shown.isFetching || resume.isPending,
    failure: shown.error ?? resume.error,
    resume: () => resume.mutate(),
  }
}
