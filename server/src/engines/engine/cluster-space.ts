import type { ObjectName } from './objects.ts'
import type { EngineSize } from './provider.ts'
import type { Staging } from './staging.ts'

/** What an engine is given that is a cluster of processes, started and watched by its provisioner. */
export interface ClusterSpace extends EngineSize {
  readonly accountId: string
  readonly warehouseId: string
  /** The folder in which `results/` looks for kept results. */
  readonly resultsDirectory: string
  readonly cluster: Cluster
  /** Where it is noted what a statement is about to write; missing: nobody can say later whether it did. */
  readonly notes?: WriteNotes
  /** Reads data that is loaded into the account's own tables; missing: none is. */
  readonly staging?: Staging
}

export interface WriteNotes {
  /** Resolves when it is kept. Changes of other catalogs are not noted. */
  begins(write: {
    readonly queryId: string
    /** As the cluster itself calls it. */
    readonly remoteId: string
    readonly target: Pick<ObjectName, 'catalog' | 'database' | 'name'>
    /** It leaves a snapshot of its target. */
    readonly leavesSnapshot: boolean
  }): Promise<void>
}

/** A cluster that takes statements, over HTTP. Only the service can prove that it may send some. */
export interface Cluster {
  /** Where its coordinator answers, without a path, such as `http://127.0.0.1:41234`. */
  readonly url: string
  /** How requests reach it, where it takes certificates of its own; missing: as any address. */
  readonly fetch?: typeof fetch
  /** What proves the service and names the user on whose behalf it asks. It expires in minutes: ask before each request. */
  headersFor(user: string): Readonly<Record<string, string>>
  /** The address of a link in an answer, such as the next page: the coordinator believes that TLS is in front of it. */
  addressOf(link: string): string
  /** Its catalogs of now, as they are called in SQL, in small letters; the account's own is the first. */
  readonly catalogs: readonly string[]
  /**
   * It serves others, too, and these are their catalogs, in small letters: the account sees nothing of them. None of its own
   * is the account's home, and nothing is made there that nobody asked for. Missing: it is the account's alone.
   */
  readonly hides?: ReadonlySet<string> | undefined
  /** Of a catalog that the account has and the cluster has not: why, as a sentence. */
  whyNoCatalog(name: string): string | null
  /** Rejects with an `EngineUnavailable` when it has no worker: statements would wait for minutes. */
  requireWorkers(): Promise<void>
  /** Resolves with the reason once the coordinator ended without being asked to; never rejects. */
  readonly lost: Promise<string>
  /** Adds workers, or drains some: what runs there is finished first. */
  resize(size: EngineSize): Promise<void>
  /** Its processes, as they were at the last look. */
  nodes(): readonly ClusterNode[]
  /** Milliseconds of processors that its processes have used; null: nobody knows. Resolves when it answers. */
  cpuMs(): Promise<number | null>
  /** Ends all of its processes, or leaves it. An engine calls it at the end of its `close()`. */
  stop(): Promise<void>
}

/** A process of a cluster: one plans, the others compute. */
export interface ClusterNode {
  readonly name: string
  readonly role: 'coordinator' | 'worker'
  readonly state: 'starting' | 'running' | 'silent'
  /** Null where nobody knows, as the next two. */
  readonly startedAt: Date | null
  readonly threads: number | null
  readonly memoryBytes: number | null
  /** Of the processors of its machine, from 0 to 100; null while it is not known. */
  readonly cpuPercent: number | null
}
