import { GatheredAcceptances } from './gathered-acceptances.ts'
import type { JournalWrites } from './journal-store.ts'
import type { Acceptance, NewStatement } from './statement-row.ts'
import type { EndedRow } from './statement-writes-store.ts'

/** A read that runs for longer is moved into the history while it runs. */
const MOST_MS = 1_000

export interface JournalParts {
  readonly writes: JournalWrites
  /** Writes ends of statements that are in the history. */
  readonly writeEnds: (ends: readonly EndedRow[]) => Promise<void>
}

interface Held {
  readonly queryId: string
  readonly catalog: string
  readonly since: number
  /** Since it was accepted. */
  readonly changes: Partial<NewStatement> | null
}

interface EndOfHeld {
  readonly end: EndedRow
  readonly one: Held
}

/** Only what can be run again without harm, has one statement, and was sent by a program that gives its requests no id. */
export const isForJournal = (row: NewStatement): boolean =>
  row.door === 'mysql' && !row.writes && row.engine !== null && row.state === 'running'

/**
 * Reads that are written in the journal and not in the history yet. They are moved there with their ends, or while they run
 * when that takes long or somebody wants to read them.
 */
export class StatementJournal {
  readonly #parts: JournalParts
  readonly #gathered: GatheredAcceptances
  readonly #held = new Map<string, Held>()
  /** Being moved as running. */
  readonly #moving = new Map<string, Promise<void>>()
  #isWatching = false

  constructor(parts: JournalParts) {
    this.#parts = parts
    const { writes } = parts
    this.#gathered = new GatheredAcceptances({
      acceptOne: async (row) => {
        const [version] = (await writes.accept([row])).values()
        return [{ identity_version: version ?? null }]
      },
      acceptSeveral: (rows) => writes.accept(rows),
    })
  }

  /** Written when it resolves. After a failure it may be written or not, and can be tried again. */
  async accept(row: NewStatement): Promise<Acceptance> {
    const accepted = await this.#gathered.accept(row)
    const { query_id: queryId, catalog } = row
    this.#held.set(queryId, { queryId, catalog, since: performance.now(), changes: null })
    this.#watch()
    return accepted
  }

  /** Ends, of which some may be of statements that are in the history. Those that are not written are as before. */
  async end(ends: readonly EndedRow[]): Promise<void> {
    const moving = () => ends.flatMap(({ query_id: id }) => this.#moving.get(id) ?? [])
    // If they cannot be moved, they are held again.
    while (moving().length > 0) await Promise.allSettled(moving())
    const held: EndOfHeld[] = []
    const others: EndedRow[] = []
    for (const end of ends) {
      const one = this.#take(end.query_id)
      if (one) held.push({ end, one })
      else others.push(end)
    }
    await Promise.all([
      held.length > 0 && this.#moveEnded(held),
      others.length > 0 && this.#parts.writeEnds(others),
    ])
  }

  /**
   * Changes what will be written of it into the history, if it is in the journal and stays in its catalog, by which
   * renamings count it. A server that is killed meanwhile remembers it as it was accepted: as a read that was cut off.
   */
  change(queryId: string, { catalog, ...changes }: Partial<NewStatement>): boolean {
    const one = this.#held.get(queryId)
    if (!one || (catalog !== undefined && catalog !== one.catalog)) return false
    this.#held.set(queryId, { ...one, changes: { ...one.changes, ...changes } })
    return true
  }

  /** Resolves when it is in the history, if it was in the journal. */
  async move(queryId: string): Promise<void> {
    const one = this.#take(queryId)
    if (one) this.#moveRunning([one])
    await this.#moving.get(queryId)
  }

  /** Resolves when all that were accepted before are in the history. */
  async moveAll(): Promise<void> {
    this.#moveRunning([...this.#held.values()])
    await Promise.all(this.#moving.values())
  }

  #take(queryId: string): Held | undefined {
    const one = this.#held.get(queryId)
    this.#held.delete(queryId)
    return one
  }

  #hold(all: readonly Held[]): void {
    for (const one of all) this.#held.set(one.queryId, one)
    this.#watch()
  }

  async #moveEnded(held: readonly EndOfHeld[]): Promise<void> {
    try {
      const moved = await this.#parts.writes.moveEnded(
        held.map(({ end, one }) => (one.changes ? { ...one.changes, ...end } : end)),
      )
      // They were moved before, and no answer came.
      const there = held.filter(({ end }) => !moved.has(end.query_id)).map(({ end }) => end)
      if (there.length > 0) await this.#parts.writeEnds(there)
    } catch (error) {
      this.#hold(held.map(({ one }) => one))
      throw error
    }
  }

  #moveRunning(held: readonly Held[]): void {
    if (held.length === 0) return
    const ids = held.map(({ queryId }) => queryId)
    const moved = this.#parts.writes
      .moveRunning(held.map(({ queryId, changes }) => ({ ...changes, query_id: queryId })))
      .then(() => undefined)
      .catch((error: unknown) => {
        this.#hold(held)
        throw error
      })
      .finally(() => ids.forEach((id) => this.#moving.delete(id)))
    for (const id of ids) {
      this.#held.delete(id)
      this.#moving.set(id, moved)
    }
    // Who needs it to be there awaits it.
    moved.catch(() => undefined)
  }

  #watch(): void {
    if (this.#isWatching || this.#held.size === 0) return
    this.#isWatching = true
    const look = (): void => {
      this.#isWatching = false
      const until = performance.now() - MOST_MS
      this.#moveRunning([...this.#held.values()].filter(({ since }) => since <= until))
      this.#watch()
    }
    setTimeout(look, MOST_MS).unref()
  }
}
