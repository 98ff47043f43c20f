import { bindParameters, type ParameterProblem } from '@boathouse/contract/bound-parameters'
import { namedParametersIn } from '@boathouse/sql'
import { useCallback, useState } from 'react'
import { useEditorRuntime } from '../editor-runtime.ts'
import type { RunTarget } from '../text/run-target.ts'

/** Why a run was not sent: each time another object, so that its field has the keyboard again. */
export interface UnboundParameter {
  readonly tabId: string
  readonly name: string
  readonly problem: ParameterProblem
}

/** Runs a text with the values of its parameters, as they are now. False: one has none, and nothing was sent. */
export function useBoundRun(tabId: string, run: (target: RunTarget) => void) {
  const { store } = useEditorRuntime()
  const [problem, setProblem] = useState<UnboundParameter | null>(null)
  const boundRun = useCallback(
    (target: RunTarget): boolean => {
      const names = namedParametersIn(target.sql)
      const bound = bindParameters(names, store.tab(tabId)?.parameters ?? [])
      setProblem('problem' in bound ? { tabId, ...bound } : null)
      if ('problem' in bound) return false
      run(names.length > 0 ? { ...target, values: bound.values } : target)
      return true
    },
    [store, tabId, run],
  )
  return { run: boundRun, problem: problem?.tabId === tabId ? problem : null }
}
