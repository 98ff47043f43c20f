import '../../../i18n/writing.ts'
import { isolateHistory } from '@codemirror/commands'
import { EditorSelection, type EditorState, type TransactionSpec } from '@codemirror/state'
import { t } from '../../../i18n/texts.ts'
import { formatSql } from './format-sql.ts'

/** On a busy machine this takes a second, and the page stands still for it: longer texts are refused. */
export const LONGEST_FORMATTED = 20_000

export interface Formatting {
  /** One step of the history; null: there is nothing to change. */
  readonly change: TransactionSpec | null
  /** What to tell the user. */
  readonly notice: string | null
}

const visible = (text: string): number => text.replaceAll(/\s/g, '').length

/** Behind as many visible characters as before: white space alone has changed. */
function placeIn(text: string, count: number): number {
  let at = 0
  for (let left = count; left > 0 && at < text.length; at++) if (!/\s/.test(text[at] ?? '')) left--
  return at
}

/** The selection, or all of the text. */
export function formatText(state: EditorState): Formatting {
  const { main } = state.selection
  const { from, to } = main.empty ? { from: 0, to: state.doc.length } : main
  if (to - from > LONGEST_FORMATTED) {
    const limit = LONGEST_FORMATTED.toLocaleString('en-US')
    return { change: null, notice: t('writing.format.tooLong', { limit }) }
  }
  const before = state.sliceDoc(from, to)
  const indent = /^\s*/.exec(state.doc.lineAt(from).text)?.[0] ?? ''
  const { text, unread } = formatSql(before, main.empty ? '' : indent)
  const line = unread === null ? 0 : state.doc.lineAt(from + unread).number
  const isSame = text === before
  const head = from + placeIn(text, visible(state.sliceDoc(from, Math.max(from, Math.min(main.head, to)))))
  return {
    change: isSame
      ? null
      : {
          changes: { from, to, insert: text },
          selection: main.empty
            ? EditorSelection.cursor(head)
            : EditorSelection.range(from, from + text.length),
          annotations: isolateHistory.of('full'),
          userEvent: 'input.format',
          scrollIntoView: true,
        },
    notice: line > 0 ? t('writing.format.unread', { line }) : isSame ? t('writing.format.unchanged') : null,
  }
}
