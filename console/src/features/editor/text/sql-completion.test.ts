import { currentCompletions } from '@codemirror/autocomplete'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type NamedThing, sqlCompletion } from './sql-completion.ts'

const named = (...names: string[]): NamedThing[] => names.map((name) => ({ name, detail: '' }))

/** A service that answers about databases when it is let go. */
function slowNames() {
  let letGo = () => {}
  const released = new Promise<void>((resolve) => (letGo = resolve))
  const databases = vi.fn<() => Promise<NamedThing[]>>(() => released.then(() => named('sample')))
  return {
    letGo,
    databases,
    names: {
      place: () => ({ catalog: 'default_catalog', database: 'main' }),
      catalogs: async () => [],
      databases,
      tables: async (_: string, database: string) => (database === 'sample' ? named('orders', 'nation') : []),
      columns: async () => [],
    },
  }
}

function editor(extensions: Extension) {
  const view = new EditorView({ parent: document.body, state: EditorState.create({ extensions }) })
  onTestFinished(() => view.destroy())
  const type = (text: string) => {
    const at = view.state.doc.length
    view.dispatch({
      changes: { from: at, insert: text },
      selection: { anchor: at + text.length },
      userEvent: 'input.type',
    })
  }
  return { view, type }
}

const offered = ({ state }: EditorView): string[] => currentCompletions(state).map(({ label }) => label)

test('what was typed while names were loading is offered for, also when there was nothing to offer before', async () => {
  const { names, databases, letGo } = slowNames()
  const { view, type } = editor(sqlCompletion(names))
  type('select * from sample')
  await vi.waitFor(() => expect(databases).toHaveBeenCalled())
  for (const key of '.ord') type(key)
  letGo()
  await vi.waitFor(() => expect(offered(view)).toEqual(['orders']))
})
