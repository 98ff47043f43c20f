import { useState } from 'react'
import type { Left } from './leaving.ts'

/** What is wrong with each field of a form, in words; what is right is not in it. */
export type Problems = Readonly<Partial<Record<string, string | undefined>>>

interface Watched extends Left {
  readonly error: string | undefined
}

/** Which problems of a form are shown: those of a field once it was left, and all once the form was sent. */
export function useProblems(problems: Problems) {
  const [shown, setShown] = useState<ReadonlySet<string> | 'all'>(new Set())
  const show = (fields: readonly string[]) =>
    setShown((before) => (before === 'all' ? before : new Set([...before, ...fields])))
  return {
    /** For a field of this name. */
    of: (field: string): Watched => ({
      error: shown === 'all' || shown.has(field) ? problems[field] : undefined,
      onLeft: () => show([field]),
    }),
    /** True: these fields are right, or all of them. Else they say what is wrong. */
    accept(fields?: readonly string[]): boolean {
      if (fields) show(fields)
      else setShown('all')
      return (fields ?? Object.keys(problems)).every((field) => !problems[field])
    },
  }
}
