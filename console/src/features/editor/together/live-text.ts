import { editor } from '@boathouse/contract/editor'
import type { TextChange, TextUpdate } from '@boathouse/contract/editor-live'
import { LIMITS } from '@boathouse/contract/limits'
import { collab, getClientID, getSyncedVersion, receiveUpdates, sendableUpdates } from '@codemirror/collab'
import { ChangeSet, type EditorState, type Extension, StateEffect, type Transaction } from '@codemirror/state'
import { send } from '../../../lib/api.ts'
import { type LiveText, StaleText } from './live-texts.ts'

/** The editor of a page, which has a state for each tab. */
interface TextHost {
  stateOf(tabId: string): EditorState | undefined
  apply(tabId: string, transaction: Transaction): void
}

interface Parts {
  readonly tabId: string
  readonly clientId: string
  readonly host: () => TextHost | null
  readonly extension: Extension
}

type Push = (input: {
  tabId: string
  clientId: string
  revision: number
  changes: TextChange[]
}) => Promise<{ isAccepted: boolean; isStale: boolean; updates: TextUpdate[] }>

const pushToServer: Push = (input) => send(editor.pushChanges, input, { silent: true })

/**
 * From now on the text of the tab, which is that of the revision, is changed together with others. Null: it cannot be, and is
 * saved as any other.
 */
export function beginLiveText(
  { tabId, clientId, host, extension }: Parts,
  saved: { readonly sql: string; readonly revision: number },
  push: Push = pushToServer,
): LiveText | null {
  const state = host()?.stateOf(tabId)
  // One that was live before, and lost what others wrote, is not begun again with the page.
  if (!state || getClientID(state) !== '' || state.doc.toString() !== saved.sql) return null
  const effects = StateEffect.appendConfig.of([
    collab({ startVersion: saved.revision, clientID: clientId }),
    extension,
  ])
  host()?.apply(tabId, state.update({ effects }))

  const stateNow = (): EditorState | undefined => {
    const own = host()?.stateOf(tabId)
    return own && getClientID(own) === clientId ? own : undefined
  }
  let last: Promise<unknown> = Promise.resolve()

  /** One exchange; true when there is nothing more to send or to hear. */
  async function exchange(): Promise<boolean> {
    const before = stateNow()
    if (!before) throw new StaleText()
    const changes = sendableUpdates(before)
      .slice(0, LIMITS.liveChanges)
      .map((update) => update.changes.toJSON() as TextChange)
    const revision = getSyncedVersion(before)
    const answer = await push({ tabId, clientId, revision, changes })
    const now = stateNow()
    if (!now || answer.isStale) throw new StaleText()
    const updates = answer.updates.map((update) => ({
      changes: ChangeSet.fromJSON(update.changes),
      clientID: update.clientId,
    }))
    if (updates.length > 0) host()?.apply(tabId, receiveUpdates(now, updates))
    const after = stateNow()
    const isAll = answer.isAccepted || updates.length < LIMITS.liveUpdates
    return isAll && after !== undefined && sendableUpdates(after).length === 0
  }

  const isHere = (revision: number): boolean => {
    const state = stateNow()
    return state !== undefined && getSyncedVersion(state) >= revision && sendableUpdates(state).length === 0
  }

  async function syncNow(known: number): Promise<{ sql: string; revision: number }> {
    while (!isHere(known)) if (await exchange()) break
    const state = stateNow()
    if (!state) throw new StaleText()
    return { sql: state.doc.toString(), revision: getSyncedVersion(state) }
  }

  return {
    isAlive: () => stateNow() !== undefined,
    sync(known = Infinity) {
      const next = last.then(() => syncNow(known))
      last = next.catch(() => undefined)
      return next
    },
  }
}
