import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { LIMITS } from './limits.ts'
import { QueryName } from './rules.ts'

/** EDITOR-12; `revision` lets a late save see that it would overwrite a newer text. */
export const EditorTab = z.object({
  tabId: z.uuid(),
  tabName: z.string(),
  parentFolderName: z.string(),
  catalog: z.string(),
  database: z.string(),
  sql: z.string(),
  revision: z.int(),
  hidden: z.boolean(),
  active: z.boolean(),
})
export type EditorTab = z.infer<typeof EditorTab>

/** EDITOR-14, EDITOR-15, EDITOR-16: bizId is the id of whatever the entry is, a folder or a tab. */
const SavedTab = z.object({
  bizId: z.string(),
  tabName: z.string(),
  parentFolderName: z.string(),
  parentId: z.string(),
  hidden: z.boolean(),
  active: z.boolean(),
})
export type SavedTab = z.infer<typeof SavedTab>

export interface SavedFolder {
  bizId: string
  folder: string
  parentId: string
  parentFolderName: string
  tabs: SavedTab[]
  children: SavedFolder[]
}
const SavedFolder: z.ZodMiniType<SavedFolder> = z.object({
  bizId: z.string(),
  folder: z.string(),
  parentId: z.string(),
  parentFolderName: z.string(),
  tabs: z.array(SavedTab),
  children: z.array(z.lazy(() => SavedFolder)),
})

const TabId = z.object({ tabId: z.uuid() })
const Sql = z.string().check(z.maxLength(LIMITS.sqlLength))
const PlaceName = z.string().check(z.maxLength(LIMITS.identifierLength))

export const editor = {
  /** EDITOR-67, EDITOR-74: also how saved queries are fetched. */
  listTabTree: defineCall({
    path: '/editor/list-tab-tree',
    summary: 'Saved queries of this user in their folders',
    needs: 'login',
    render: true,
    input: z.object({}),
    output: z.object({ folders: z.array(SavedFolder), tabs: z.array(SavedTab) }),
  }),
  /** EDITOR-58 */
  createTab: defineCall({
    path: '/editor/create-tab',
    summary: 'Create a tab',
    needs: 'login',
    input: z.object({ tabName: QueryName, sql: z._default(Sql, '') }),
    output: EditorTab,
    fails: ['LimitReached'],
  }),
  /** EDITOR-65 */
  tabDetail: defineCall({
    path: '/editor/tab-detail',
    summary: 'One tab with its text',
    needs: 'login',
    input: TabId,
    output: EditorTab,
    fails: ['NotFound'],
  }),
  /** EDITOR-60: the place the tab goes to on a new connection; empty: none. */
  updateTabDatabase: defineCall({
    path: '/editor/update-tab-database',
    summary: 'Save the catalog and the database of a tab',
    needs: 'login',
    silent: true,
    input: z.object({ tabId: z.uuid(), catalog: PlaceName, database: PlaceName }),
    output: z.object({}),
    fails: ['NotFound'],
  }),
  /** EDITOR-61 */
  updateSql: defineCall({
    path: '/editor/update-sql',
    summary: 'Save the text of a tab',
    needs: 'login',
    silent: true,
    input: z.object({ tabId: z.uuid(), sql: Sql, revision: z.int() }),
    output: z.object({ revision: z.int() }),
    fails: ['NotFound', 'Conflict'],
  }),
  /** EDITOR-62 */
  activeTab: defineCall({
    path: '/editor/active-tab',
    summary: 'Make a tab the active one, showing it if it was hidden',
    needs: 'login',
    silent: true,
    input: TabId,
    output: z.object({}),
    fails: ['NotFound'],
  }),
  /** EDITOR-66, CHANNEL-27: ends one statement and keeps the connection. */
  kill: defineCall({
    path: '/editor/kill',
    summary: 'Stop a statement',
    needs: 'login',
    input: z.object({ requestId: z.string().check(z.maxLength(LIMITS.requestIdLength)) }),
    output: z.object({ stopped: z.boolean() }),
    fails: ['NotFound'],
  }),
}
