import { editor as calls } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { Queries } from '../query/service.ts'
import type { Editor } from './service.ts'

export const editorCalls = ({ editor, queries }: { editor: Editor; queries: Pick<Queries, 'kill'> }) =>
  implement(calls, {
    listTabTree: ({ actor }) => editor.listTabTree(actor),
    createTab: ({ actor }, input) => editor.createTab(actor, input),
    tabDetail: ({ actor }, { tabId }) => editor.tabDetail(actor, tabId),
    updateTabDatabase: async ({ actor }, input) => {
      await editor.updateTabDatabase(actor, input)
      return {}
    },
    updateSql: ({ actor }, input) => editor.updateSql(actor, input),
    activeTab: async ({ actor }, { tabId }) => {
      await editor.activeTab(actor, tabId)
      return {}
    },
    kill: ({ actor }, { requestId }) => queries.kill(actor, requestId),
  })
