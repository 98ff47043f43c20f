import type { Dashboard } from '@boathouse/contract/dashboard'
import { useState } from 'react'

export type Draft = Pick<Dashboard, 'name' | 'tiles' | 'parameters'>

/** More steps back are not kept. */
const MOST_STEPS = 100
/** What is typed: all letters in a row are one step. */
const TYPED: ReadonlySet<string> = new Set(['name', 'parameters'])

interface Step {
  readonly draft: Draft
  /** What it has changed. */
  readonly parts: string
}

/** What is changed and not saved, with all steps back. */
export function useDraft({ name, tiles, parameters }: Dashboard) {
  const [first] = useState<Step>({ draft: { name, tiles, parameters }, parts: '' })
  const [steps, setSteps] = useState<readonly Step[]>([])
  const last = steps.at(-1) ?? first
  return {
    draft: last.draft,
    isChanged: steps.length > 0,
    change: (next: Partial<Draft>) =>
      setSteps((before) => {
        const newest = before.at(-1) ?? first
        const parts = Object.keys(next).join()
        const isSameStep = TYPED.has(parts) && newest.parts === parts
        const step = { draft: { ...newest.draft, ...next }, parts }
        return [...(isSameStep ? before.slice(0, -1) : before), step].slice(-MOST_STEPS)
      }),
    undo: () => setSteps((before) => before.slice(0, -1)),
  }
}
