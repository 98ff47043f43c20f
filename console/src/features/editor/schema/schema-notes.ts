import type { CallError } from '../../../lib/api.ts'
import type { Place } from '../tabs/place.ts'
import type { TreeRow } from '../../../ui/tree/tree-rows.ts'

/** What is below a row; without a list it is on its way or could not be loaded. */
export interface Branch<T> {
  readonly list: readonly T[] | undefined
  /** Of all there are; the list may be cut. */
  readonly total: number
  /** Of the last try: with a list, the list is that of an earlier one. */
  readonly error: CallError | null
  readonly retry: () => unknown
}

export const NOT_YET: Branch<never> = { list: undefined, total: 0, error: null, retry: () => undefined }

/** 'objects' are all that is in a database together. */
type Contents = 'databases' | 'objects' | 'tables' | 'views' | 'materialized' | 'columns'

const NOTES = ['loading', 'empty', 'failed', 'old', 'denied', 'more'] as const
/** What a row says that stands for nothing. */
export type NoteKind = (typeof NOTES)[number]

export const isNote = ({ kind }: { readonly kind: string }): boolean => NOTES.some((note) => note === kind)

/** The words of a note; `count` is how many more there are. */
export type Say = (kind: NoteKind, contents: Contents, count: number) => string

/** Where the note is. */
interface Above {
  readonly parentId: string
  readonly level: number
  readonly place: Place
}

export interface Note extends Omit<TreeRow, 'posInSet' | 'setSize'> {
  readonly kind: NoteKind
  readonly place: Place
  /** Where there is something to do about it. */
  readonly retry?: () => unknown
}

export interface Noted {
  readonly contents: Contents
  readonly branch: Branch<unknown>
  readonly above: Above
  readonly say: Say
}

export function noteOf(kind: NoteKind, { contents, branch, above, say }: Noted): Note {
  const name = say(kind, contents, branch.total - (branch.list?.length ?? 0))
  const isRetried = kind === 'failed' || kind === 'old'
  const retry = isRetried ? { retry: branch.retry } : {}
  return { id: `${kind}-${contents}\0${above.parentId}`, name, kind, expanded: null, ...above, ...retry }
}

function stateOf({ list, error }: Branch<unknown>): NoteKind | null {
  if (!error) return list ? null : 'loading'
  if (error.codeName === 'NoPermission') return 'denied'
  // If it is gone, the list above shows that in a moment.
  if (list) return error.codeName === 'NotFound' ? null : 'old'
  return 'failed'
}

/** Notes before a list, or before several that belong together; once if all have the same. */
export function notesBefore(...noted: readonly Noted[]): Note[] {
  const kinds = noted.map(({ branch }) => stateOf(branch))
  const [one] = noted
  const [kind] = kinds
  if (one && kind && noted.length > 1 && kinds.every((other) => other === kind)) {
    const retry = () => noted.forEach(({ branch }) => branch.retry())
    return [noteOf(kind, { ...one, contents: 'objects', branch: { ...one.branch, retry } })]
  }
  return noted.flatMap((about, at) => {
    const own = kinds[at]
    return own ? [noteOf(own, about)] : []
  })
}

export function notesAfter(noted: Noted): Note[] {
  const { list, total } = noted.branch
  return list && total > list.length ? [noteOf('more', noted)] : []
}
