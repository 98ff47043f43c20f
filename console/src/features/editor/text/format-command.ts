import type { EditorView } from '@codemirror/view'
import { t } from '../../../i18n/texts.ts'
import { notify } from '../../../ui/index.ts'

/** What formats is loaded with the first use; what was typed meanwhile is formatted with the rest. */
async function formatNow(view: EditorView): Promise<void> {
  const loaded = await import('./format-text.ts').catch(() => null)
  if (!loaded) return void notify({ tone: 'err', message: t('editor.text.notLoaded') })
  const { change, notice } = loaded.formatText(view.state)
  if (change) view.dispatch(change)
  if (notice !== null) notify({ tone: 'info', message: notice })
}

/** The selection, or all of the text. */
export function format(view: EditorView): boolean {
  void formatNow(view)
  return true
}
