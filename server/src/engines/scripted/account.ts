import { DiskRoom } from '../../results/disk-space.ts'
import type { Effect } from '../engine/capabilities.ts'
import { type EngineSession, SessionRefused, type SessionState } from '../engine/session.ts'
import type { LocalAccount } from '../fault-injection/provider.ts'
import { SCRIPTED_CATALOGS } from './catalogs.ts'
import { SCRIPTED_DIALECT } from './dialect.ts'
import { Refused } from './refused.ts'
import type { Script } from './script.ts'
import { ScriptedSession } from './session.ts'
import { EMPTY_WORLD, type World } from './world.ts'

/** One account's tables, in memory: whatever is committed is one value. */
export class ScriptedAccount implements LocalAccount {
  readonly dialect = SCRIPTED_DIALECT
  // A statement is decided on and run with one value of all tables.
  readonly usesAre = 'in the same transaction'
  readonly catalogs = SCRIPTED_CATALOGS
  readonly descriptions = null
  readonly explain = null
  readonly profiling = null
  readonly describing = { of: 'statement' } as const
  readonly attachments = null
  readonly files = null
  readonly tableSizes = null
  readonly effects = {
    tookEffect: async (queryIds: readonly string[]): Promise<ReadonlyMap<string, Effect>> => {
      const noted = this.world.effects
      return new Map(
        queryIds.flatMap((id) => {
          const effect = noted.get(id)
          return effect ? [[id, { rowsChanged: effect.rowsChanged }] as const] : []
        }),
      )
    },
    forget: (before: Date): Promise<void> =>
      this.underLock(async () => {
        const left = [...this.world.effects].filter(([, { at }]) => at >= before)
        this.commit({ ...this.world, effects: new Map(left) })
      }),
  }
  readonly room: DiskRoom
  private committed = EMPTY_WORLD
  private last: Promise<unknown> = Promise.resolve()

  constructor(
    /** Where its kept results are. */
    readonly directory: string,
    readonly script: Script,
  ) {
    this.room = new DiskRoom(directory)
  }

  get world(): World {
    return this.committed
  }

  /** It has no threads and no memory of its own, so that any size is its size. */
  readonly resize = async (): Promise<void> => undefined

  async openSession(state: SessionState, onFatal: (reason: string) => void): Promise<EngineSession> {
    try {
      return new ScriptedSession(this, state, onFatal)
    } catch (error) {
      if (error instanceof Refused) throw new SessionRefused(error.error)
      throw error
    }
  }

  /** Rows are on disk before they are handed over. */
  settled = (): Promise<void> => Promise.resolve()

  close(): Promise<void> {
    this.commit(EMPTY_WORLD)
    return Promise.resolve()
  }

  commit(world: World): void {
    this.committed = world
  }

  /** Statements that write on their own do so one after the other. */
  underLock<T>(work: () => Promise<T>): Promise<T> {
    const done = this.last.then(work)
    this.last = done.catch(() => undefined)
    return done
  }
}
