import { randomUUID } from 'node:crypto'
import { LIMITS } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { EditorQueries, EditorStore } from './store.ts'

type FolderRow = Awaited<ReturnType<EditorQueries['folders']>>[number]

const noSuchFolder = () => new AppError('NotFound', 'This folder does not exist, or it was deleted.')

function findFolder(folders: readonly FolderRow[], folderId: string): FolderRow {
  const found = folders.find((folder) => folder.folder_id === folderId)
  if (!found) throw noSuchFolder()
  return found
}

/** The folder and all above it, itself first. */
function pathOf(folders: readonly FolderRow[], folderId: string | null): FolderRow[] {
  const path: FolderRow[] = []
  for (let id = folderId; id !== null; id = path.at(-1)?.parent_id ?? null) path.push(findFolder(folders, id))
  return path
}

/** The folder and all below it. */
function within(folders: readonly FolderRow[], folderId: string): Set<string> {
  const ids = new Set([folderId])
  for (let before = 0; before < ids.size;) {
    before = ids.size
    for (const folder of folders) if (folder.parent_id && ids.has(folder.parent_id)) ids.add(folder.folder_id)
  }
  return ids
}

/** How many levels the folder takes, with those in it. */
function heightOf(folders: readonly FolderRow[], folderId: string): number {
  const below = folders.filter((folder) => folder.parent_id === folderId)
  return 1 + Math.max(0, ...below.map((folder) => heightOf(folders, folder.folder_id)))
}

function refuseTooDeep(levels: number): void {
  if (levels > LIMITS.folderLevels)
    throw new AppError(
      'LimitReached',
      `Folders can be ${LIMITS.folderLevels} levels deep. Choose a folder on a higher level.`,
    )
}

interface Parts {
  readonly store: EditorStore
  readonly clock: Clock
  /** The lists of saved queries in the user's windows are no longer true. */
  readonly changed: (actor: Actor) => void
}

/** Folders of one user, and moves between them. */
export function createFolders({ store, clock, changed }: Parts) {
  /** Locks the user's folders against their other windows, so that no folder ends up in itself. */
  const alone = async <T>(actor: Actor, work: (own: EditorQueries, folders: FolderRow[]) => Promise<T>) => {
    const done = await store.alone(actor.userId, async (own) => work(own, await own.folders(actor.userId)))
    changed(actor)
    return done
  }

  return {
    create: (actor: Actor, { folderName, parentId }: { folderName: string; parentId: string }) =>
      alone(actor, async (own, folders) => {
        if (folders.length >= LIMITS.queryFolders)
          throw new AppError(
            'LimitReached',
            `You have ${LIMITS.queryFolders} folders, the maximum. Delete some.`,
          )
        refuseTooDeep(1 + pathOf(folders, parentId || null).length)
        const folderId = randomUUID()
        await own.insertFolder({
          folder_id: folderId,
          account_id: actor.accountId,
          user_id: actor.userId,
          parent_id: parentId || null,
          name: folderName,
          created_at: clock.now(),
        })
        return { folderId }
      }),

    rename: (actor: Actor, { folderId, folderName }: { folderId: string; folderName: string }) =>
      alone(actor, async (own, folders) => {
        findFolder(folders, folderId)
        await own.changeFolder(actor.userId, folderId, { name: folderName })
      }),

    move: (actor: Actor, { folderId, parentId }: { folderId: string; parentId: string }) =>
      alone(actor, async (own, folders) => {
        findFolder(folders, folderId)
        const path = pathOf(folders, parentId || null)
        if (path.some((folder) => folder.folder_id === folderId))
          throw new AppError('Conflict', 'A folder cannot be moved into itself or into a folder in it.')
        refuseTooDeep(path.length + heightOf(folders, folderId))
        await own.changeFolder(actor.userId, folderId, { parent_id: parentId || null })
      }),

    moveTab: (actor: Actor, { tabId, folderId }: { tabId: string; folderId: string }) =>
      alone(actor, async (own, folders) => {
        if (folderId) findFolder(folders, folderId)
        if (!(await own.move(actor.userId, tabId, folderId || null)))
          throw new AppError('NotFound', 'This query does not exist, or it was deleted.')
      }),

    delete: (actor: Actor, folderId: string) =>
      alone(actor, async (own, folders) => {
        findFolder(folders, folderId)
        const gone = within(folders, folderId)
        const tabs = await own.tabs(actor.userId)
        const tabIds = tabs.filter((tab) => tab.folder_id && gone.has(tab.folder_id)).map((tab) => tab.tab_id)
        const deleted = await own.throwAway(actor.userId, tabIds, clock.now())
        await own.deleteFolder(actor.userId, folderId)
        await own.forgetBeyond(actor.userId, LIMITS.binQueries)
        return { deleted }
      }),
  }
}
