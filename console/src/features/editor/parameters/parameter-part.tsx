import { namedParametersIn } from '@boathouse/sql'
import { lazy, Suspense, useMemo } from 'react'
import { useSettled } from '../../../lib/settled.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { useEditorState } from '../tabs/editor-store.ts'
import type { UnboundParameter } from './use-bound-run.ts'

const ParameterStrip = lazy(async () => ({ default: (await import('./parameter-strip.tsx')).ParameterStrip }))

/** Milliseconds without a key, after which a text is read for its parameters; a long one takes a while to read. */
const settlingOf = ({ length }: string): number => (length > 100_000 ? 1000 : 150)

interface Props {
  readonly tabId: string
  readonly problem: UnboundParameter | null
}

/** A field for each parameter of the text. Nothing, and no chunk loaded, for a text without parameters. */
export function ParameterPart({ tabId, problem }: Props) {
  const { store } = useEditorRuntime()
  const text = useEditorState(store, ({ tabs }) => tabs[tabId]?.sql ?? '')
  const settled = useSettled(text, settlingOf(text))
  const names = useMemo(() => namedParametersIn(settled), [settled])
  if (names.length === 0) return null
  return (
    <Suspense>
      <ParameterStrip key={tabId} tabId={tabId} names={names} problem={problem} />
    </Suspense>
  )
}
