import { contract } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { Queries } from '../query/service.ts'
import type { Editor } from './service.ts'

const nothing = async (done: Promise<unknown>): Promise<Record<string, never>> => {
  await done
  return {}
}

export const editorCalls = ({ editor, queries }: { editor: Editor; queries: Pick<Queries, 'kill'> }) =>
  implement(contract.editor, {
    listTabTree: ({ actor }) => editor.listTabTree(actor),
    createTab: ({ actor }, input) => editor.createTab(actor, input),
    updateTabName: ({ actor }, input) => nothing(editor.updateTabName(actor, input)),
    hideTab: ({ actor }, { tabId }) => nothing(editor.hideTab(actor, tabId)),
    deleteTabs: ({ actor }, { tabIds }) => editor.deleteTabs(actor, tabIds),
    orderTabs: ({ actor }, { tabIds }) => nothing(editor.orderTabs(actor, tabIds)),
    listDeletedTabs: ({ actor }, page) => editor.listDeletedTabs(actor, page),
    emptyBin: ({ actor }, { tabIds }) => editor.emptyBin(actor, tabIds),
    restoreTab: ({ actor }, { tabId }) => editor.restoreTab(actor, tabId),
    createTabFolder: ({ actor }, input) => editor.folders.create(actor, input),
    deleteTabFolder: ({ actor }, { folderId }) => editor.folders.delete(actor, folderId),
    updateTabFolder: ({ actor }, input) => nothing(editor.folders.rename(actor, input)),
    changeTabFolder: ({ actor }, input) => nothing(editor.folders.moveTab(actor, input)),
    changeTabFolderParent: ({ actor }, input) => nothing(editor.folders.move(actor, input)),
    tabDetail: ({ actor }, { tabId }) => editor.tabDetail(actor, tabId),
    updateTabDatabase: ({ actor }, input) => nothing(editor.updateTabDatabase(actor, input)),
    updateTabParameters: ({ actor }, input) => nothing(editor.updateTabParameters(actor, input)),
    updateTabChart: ({ actor }, input) => nothing(editor.updateTabChart(actor, input)),
    updateSql: ({ actor }, input) => editor.updateSql(actor, input),
    pushChanges: ({ actor }, input) => editor.live.push(actor, input),
    present: ({ actor }, input) => nothing(editor.present(actor, input)),
    comments: ({ actor }, { tabId }) => editor.comments.list(actor, tabId),
    addComment: ({ actor }, input) => nothing(editor.comments.add(actor, input)),
    resolveComment: ({ actor }, input) => nothing(editor.comments.resolve(actor, input)),
    deleteComment: ({ actor }, input) => nothing(editor.comments.delete(actor, input)),
    snippets: ({ actor }) => editor.snippets.list(actor),
    saveSnippet: ({ actor }, input) => nothing(editor.snippets.save(actor, input)),
    deleteSnippet: ({ actor }, { snippetId }) => nothing(editor.snippets.delete(actor, snippetId)),
    share: (from, input) => nothing(editor.sharing.share(from, input)),
    unshare: (from, input) => nothing(editor.sharing.unshare(from, input)),
    shares: ({ actor }, { of }) => editor.sharing.shares(actor, of),
    sharePartners: ({ actor }, { search }) => editor.sharing.partners(actor, search),
    sharedWithMe: ({ actor }, page) => editor.sharing.sharedWithMe(actor, page),
    versions: ({ actor }, input) => editor.versions.list(actor, input),
    versionText: ({ actor }, input) => editor.versions.textOf(actor, input),
    nameVersion: ({ actor }, input) => nothing(editor.versions.name(actor, input)),
    restoreVersion: ({ actor }, input) => editor.versions.restore(actor, input),
    markRun: ({ actor }, input) => nothing(editor.versions.markRun(actor, input)),
    activeTab: ({ actor }, { tabId }) => nothing(editor.activeTab(actor, tabId)),
    kill: ({ actor }, { requestId }) => queries.kill(actor, requestId),
  })
