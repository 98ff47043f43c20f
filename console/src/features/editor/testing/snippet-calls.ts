import type { Snippet } from '@boathouse/contract/editor-snippets'
import { refuse, type StubHandlers } from '../../../testing/stub-server.ts'

/** Calls about the user's own snippets. */
export function snippetCalls(): StubHandlers {
  let list: Snippet[] = []
  return {
    'editor.snippets': () => ({ list }),
    'editor.saveSnippet': (snippet) => {
      const others = list.filter(({ snippetId }) => snippetId !== snippet.snippetId)
      if (others.some(({ name }) => name === snippet.name)) return refuse('NameTaken', 'Choose another name.')
      list = [...others, snippet]
      return {}
    },
    'editor.deleteSnippet': ({ snippetId }) => {
      list = list.filter((one) => one.snippetId !== snippetId)
      return {}
    },
  }
}
