import type { Log } from '../../../kernel/log.ts'
import { ClusterRefused } from '../refused.ts'
import { createClusterNames } from './cluster-names.ts'
import type { ExistingLine } from './line.ts'
import {
  catalogsOf,
  computes,
  type KnownNode,
  nodesOf,
  requireImpersonation,
  requireStarted,
} from './questions.ts'

/** All in milliseconds. */
const TIMES = {
  /** From one look at the coordinator to the next. */
  look: 2_000,
  /** From one look at its nodes and catalogs to the next. */
  list: 10_000,
  /** For the answer to a look. */
  patience: 5_000,
  /** For a statement of the service: the first ones after a start take long. */
  run: 30_000,
  /** A single look may fail. After this long, nothing is sent any more. */
  quiet: 4_000,
  /** After this long, warehouses do not wait for it any more. */
  lost: 60_000,
}

interface ExistingOptions {
  readonly line: ExistingLine
  readonly log: Log
  readonly times?: Partial<typeof TIMES>
}

/** What was last known of it. */
interface Known {
  readonly nodes: readonly KnownNode[]
  readonly catalogs: readonly string[]
  /** Some node takes work. */
  readonly computes: boolean
}

/** A warehouse that uses the cluster. */
export interface ClusterUse {
  /** Resolves with the reason once the cluster has not answered for too long. */
  readonly lost: Promise<string>
  end(): void
}

/** With the end that the cluster itself brings. */
interface OpenUse extends ClusterUse {
  lose(reason: string): void
}

const NOTHING_KNOWN: Known = { nodes: [], catalogs: [], computes: true }

function openUse(onEnd: (use: OpenUse) => void): OpenUse {
  let tellLoss: ((reason: string) => void) | undefined
  const lost = new Promise<string>((resolve) => {
    tellLoss = resolve
  })
  const use: OpenUse = {
    lost,
    end: () => onEnd(use),
    lose(reason) {
      tellLoss?.(reason)
      onEnd(use)
    },
  }
  return use
}

/** Their processors and memory it does not say. */
const shown = ({ name, role, state }: KnownNode, isSilent: boolean) => ({
  name,
  role,
  state: isSilent || state !== 'active' ? ('silent' as const) : ('running' as const),
  startedAt: null,
  threads: null,
  memoryBytes: null,
  cpuPercent: null,
})

/**
 * A cluster that somebody else starts, stops and configures: one for all warehouses that use it. It is looked at from the
 * first of them to the last.
 */
export function createExistingCluster({ line, log, times = {} }: ExistingOptions) {
  const { look: lookMs, list: listMs, patience, run, quiet, lost: lostMs } = { ...TIMES, ...times }
  const uses = new Set<OpenUse>()
  /** Called when it answers again, or nobody uses it any more. */
  const waiting = new Set<() => void>()
  const catalogs = new Set<string>()
  let known = NOTHING_KNOWN
  let listedAt = 0
  let failing: { readonly since: number; readonly reason: string } | null = null
  let timer: NodeJS.Timeout | undefined
  let isLooking = false

  const proceed = (): void => {
    for (const tell of waiting) tell()
    waiting.clear()
  }

  async function list(): Promise<void> {
    const [nodes, names] = await Promise.all([nodesOf(line, run), catalogsOf(line, run)])
    const hasWorker = nodes.some(({ role, state }) => role === 'worker' && state === 'active')
    // Without workers, a coordinator may compute itself.
    known = { nodes, catalogs: names, computes: hasWorker || (await computes(line, run)) }
    catalogs.clear()
    for (const name of names) catalogs.add(name)
    listedAt = Date.now()
  }

  /** Statements may wait in a busy cluster: what is known of it stays, and nobody waits for them. */
  async function listAgain(): Promise<void> {
    listedAt = Date.now()
    await list().catch((error: unknown) => log.warn({ err: error }, 'the nodes of the cluster are not known'))
  }

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    try {
      await requireStarted(line, patience)
      if (Date.now() - listedAt >= listMs) void listAgain()
      if (failing) log.info('the cluster answers again')
      failing = null
      proceed()
    } catch (error) {
      fail(error)
    } finally {
      isLooking = false
    }
  }

  function fail(error: unknown): void {
    const reason = error instanceof ClusterRefused ? error.message : 'The cluster cannot be looked at.'
    if (!failing) log.warn({ err: error }, 'the cluster does not answer as it should')
    failing = { since: failing?.since ?? Date.now(), reason }
    if (Date.now() - failing.since < lostMs) return
    for (const use of uses) use.lose(reason)
  }

  function stopWithoutUses(): void {
    if (uses.size > 0) return
    clearInterval(timer)
    timer = undefined
    failing = null
    proceed()
  }

  const isQuiet = (): boolean => failing !== null && Date.now() - failing.since >= quiet
  const whyQuiet = (): string | null => (isQuiet() ? (failing?.reason ?? null) : null)
  const names = createClusterNames({ line, patienceMs: run, catalogs, whyQuiet })

  return {
    /** That statements of this user can run in it now. Rejects with a `ClusterRefused` that says why not. */
    async check(user: string): Promise<void> {
      await requireStarted(line, patience)
      await list()
      if (!known.computes)
        throw new ClusterRefused('The cluster has no worker at this moment, so no statement can run in it.')
      await requireImpersonation(line, user, run)
    },

    use(): ClusterUse {
      const use = openUse((ended) => {
        if (uses.delete(ended)) stopWithoutUses()
      })
      uses.add(use)
      timer ??= setInterval(() => void look(), lookMs)
      return use
    },

    /** Kept up to date. */
    catalogs: catalogs as ReadonlySet<string>,

    /** Rejects with a `ClusterRefused` when nothing could run: statements would wait for minutes. */
    async requireWorkers(): Promise<void> {
      const why = whyQuiet()
      if (why !== null) throw new ClusterRefused(why)
      if (!known.computes)
        throw new ClusterRefused('The cluster has no worker at this moment. Try again when it has one.')
    },

    /** Resolves when it answers, at once where nothing says that it does not. */
    answers(): Promise<void> {
      return failing ? new Promise((resolve) => waiting.add(resolve)) : Promise.resolve()
    },

    ...names,

    /** As they were at the last look. */
    nodes() {
      const isSilent = isQuiet()
      return known.nodes.map((node) => shown(node, isSilent))
    },

    close(): void {
      uses.clear()
      stopWithoutUses()
      line.close()
    },
  }
}
