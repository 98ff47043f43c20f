import { setTimeout as sleep } from 'node:timers/promises'
import type { StartStep } from '@boathouse/contract'
import type { Log } from '../../kernel/log.ts'
import {
  activeWorkers,
  addressOf,
  drain,
  hasStarted,
  headersFor,
  type Row,
  runStatement,
  urlOf,
} from './coordinator.ts'
import type { ClusterNodes } from './cluster-nodes.ts'
import { dyingWords, lastWords, lostItsPort, type StartedNode } from './node-process.ts'
import { NodeStates } from './node-states.ts'
import { cpuMsOf, end, isAlive } from './process-identity.ts'
import { ClusterRefused } from './refused.ts'

const LOOK_MS = 1_000
const READY_LOOK_MS = 200
/** From the start of its processes until it takes statements, on a slow and busy machine. */
const START_MS = 300_000
/** To end in good order; statements were stopped before. */
const STOP_MS = 10_000
/** For what a worker runs that is to go. */
const DRAIN_MS = 300_000
/** A node that does not answer for so long hangs, and is ended. Collecting garbage may take seconds. */
const SILENT_MS = 60_000
const PROBE_MS = 5_000
const LONGEST_PAUSE_MS = 30_000
const MOST_ATTEMPTS = 3

class PortTaken extends ClusterRefused {}

interface Worker {
  readonly node: StartedNode
  answeredAt: number
  /** Until it has answered once, it starts. */
  hasAnswered: boolean
  /** Before it, without a steady minute in between. */
  readonly restarts: number
  isMended: boolean
}

export interface LocalClusterOptions {
  readonly nodes: ClusterNodes
  readonly directory: string
  readonly tokenKey: string
  readonly log: Log
  /** Called while it starts. */
  readonly onStep?: ((step: StartStep) => void) | undefined
}

/** A coordinator and workers on this machine, watched: a worker that ends is replaced, the end of the coordinator is reported. */
export class LocalCluster {
  /** Resolves with the reason once the coordinator ended without being asked to. */
  readonly lost: Promise<string>
  readonly #options: LocalClusterOptions
  #tellLoss: (reason: string) => void = () => undefined
  #coordinator: StartedNode
  #coordinatorAnsweredAt = Date.now()
  readonly #workers: Map<string, Worker>
  readonly #states = new NodeStates()
  /** Workers that are replaced or drained. */
  readonly #underWay = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #isLooking = false
  #hasEnded = false

  private constructor(
    options: LocalClusterOptions,
    coordinator: StartedNode,
    workers: readonly StartedNode[],
  ) {
    this.#options = options
    this.#coordinator = coordinator
    this.#workers = new Map(workers.map((node) => [node.id, newWorker(node)]))
    this.lost = new Promise((resolve) => (this.#tellLoss = resolve))
  }

  /** Starts what is missing of it, and takes over what runs of it. Rejects with a `ClusterRefused`; then nothing runs. */
  static async open(options: LocalClusterOptions, workers: number): Promise<LocalCluster> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await LocalCluster.#openOnce(options, workers)
      } catch (error) {
        await options.nodes.endAll()
        // Somebody else took the port between the look for a free one and the start: there are others.
        if (!(error instanceof PortTaken) || attempt === MOST_ATTEMPTS) throw error
      }
    }
  }

  static async #openOnce(options: LocalClusterOptions, workers: number): Promise<LocalCluster> {
    const { nodes } = options
    const coordinator = await nodes.coordinator()
    const cluster = new LocalCluster(options, coordinator, await nodes.workers(workers))
    await cluster.#ready()
    cluster.#timer = setInterval(() => void cluster.#look(), LOOK_MS)
    return cluster
  }

  get url(): string {
    return urlOf(this.#coordinator.port)
  }

  get pids(): { readonly coordinator: number; readonly workers: readonly number[] } {
    return {
      coordinator: this.#coordinator.pid,
      workers: [...this.#workers.values()].map(({ node }) => node.pid),
    }
  }

  get workerPorts(): readonly number[] {
    return [...this.#workers.values()].map(({ node }) => node.port)
  }

  /** As they were at the last look. */
  nodes() {
    const coordinator = { answeredAt: this.#coordinatorAnsweredAt, hasAnswered: true }
    return [
      this.#states.of(this.#coordinator, coordinator),
      ...[...this.#workers.values()].map((worker) => this.#states.of(worker.node, worker)),
    ]
  }

  headersFor(user: string): Readonly<Record<string, string>> {
    return headersFor(this.#options.tokenKey, user)
  }

  addressOf(link: string): string {
    return addressOf(this.#coordinator.port, link)
  }

  /** Rejects with a `ClusterRefused` when no worker takes work. */
  async requireWorkers(): Promise<void> {
    const started = [...this.#workers.values()].filter(({ hasAnswered }) => hasAnswered)
    const alive = await Promise.all(started.map(({ node }) => isAlive(node)))
    if (!alive.includes(true))
      throw new ClusterRefused('The cluster has no worker at this moment. Its workers are started again.')
  }

  /** A statement of the service. Rejects with a `ClusterRefused`. */
  async run(sql: string): Promise<readonly Row[]> {
    try {
      return await runStatement(this.#address(this.#coordinator), sql)
    } catch (error) {
      // What is wrong with a catalog, only the log says.
      const words = await lastWords(this.#options.directory, this.#coordinator.id)
      throw new ClusterRefused(
        `The cluster refuses a statement of the service: ${messageOf(error)}. ${words}`,
        { cause: error },
      )
    }
  }

  /** Waits until the coordinator answers. */
  async cpuMs(): Promise<number> {
    while (!this.#hasEnded && !(await this.#answers(this.#coordinator, PROBE_MS))) await sleep(READY_LOOK_MS)
    const used = await Promise.all(this.#nodes().map((node) => cpuMsOf(node)))
    return used.reduce<number>((sum, ms) => sum + (ms ?? 0), 0)
  }

  /** More take part when it resolves; fewer take no more work, and end when theirs is done. */
  async resize(workers: number): Promise<void> {
    const { nodes } = this.#options
    for (const { node } of [...this.#workers.values()].slice(workers)) {
      this.#workers.delete(node.id)
      await nodes.leave(node)
      this.#begin(this.#drain(node))
    }
    for (const node of await nodes.workers(workers))
      if (!this.#workers.has(node.id)) this.#workers.set(node.id, newWorker(node))
    await this.#ready()
  }

  /** Ends all of its processes. */
  async stop(): Promise<void> {
    this.#hasEnded = true
    clearInterval(this.#timer)
    await this.settled()
    await this.#options.nodes.endAll(STOP_MS)
  }

  /** Once it has ended: when nothing that it began can start a process any more. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#underWay)
  }

  #begin(work: Promise<void>): void {
    const done = work
      .catch((error: unknown) =>
        this.#options.log.error({ err: error }, 'a worker of a cluster was not replaced'),
      )
      .finally(() => this.#underWay.delete(done))
    this.#underWay.add(done)
  }

  #nodes(): StartedNode[] {
    return [this.#coordinator, ...[...this.#workers.values()].map(({ node }) => node)]
  }

  #address(node: StartedNode) {
    return { port: node.port, tokenKey: this.#options.tokenKey }
  }

  async #answers(node: StartedNode, patienceMs: number): Promise<boolean> {
    return hasStarted(this.#address(node), patienceMs).catch(() => false)
  }

  /** Until the coordinator knows all workers. */
  async #ready(): Promise<void> {
    const { onStep } = this.#options
    const deadline = Date.now() + START_MS
    const of = this.#workers.size
    onStep?.({ step: 'coordinator', ready: 0, of })
    while (!(await this.#answers(this.#coordinator, PROBE_MS))) await this.#patience(deadline)
    let known: string[] = []
    let problem = ''
    // By their names: the coordinator counts one that is gone for some seconds more.
    const missing = (): number => [...this.#workers.keys()].filter((id) => !known.includes(id)).length
    while (missing() > 0) {
      onStep?.({ step: 'workers', ready: of - missing(), of })
      await this.#patience(deadline, problem)
      try {
        known = await activeWorkers(this.#address(this.#coordinator))
      } catch (error) {
        problem = messageOf(error)
      }
    }
    for (const worker of this.#workers.values())
      Object.assign(worker, { answeredAt: Date.now(), hasAnswered: true })
  }

  /** Rejects when it cannot become ready any more, or has not in time. */
  async #patience(deadline: number, problem = ''): Promise<void> {
    for (const node of this.#nodes()) {
      if (await isAlive(node)) continue
      const what = node.isCoordinator ? 'coordinator' : 'worker'
      const { directory } = this.#options
      if (await lostItsPort(directory, node.id))
        throw new PortTaken(`The port ${node.port} of the ${what} was taken by another program. Try again.`)
      const words = await lastWords(directory, node.id)
      throw new ClusterRefused(`The ${what} of the cluster ended at its start. ${words}`)
    }
    if (Date.now() > deadline)
      throw new ClusterRefused(
        `The cluster was not ready within ${START_MS / 1000} s${problem && `: ${problem}`}. The machine may be too busy, or its memory too small.`,
      )
    await sleep(READY_LOOK_MS)
  }

  async #look(): Promise<void> {
    if (this.#isLooking || this.#hasEnded) return
    this.#isLooking = true
    try {
      // At once: one that does not answer must not hold up what is known of the others.
      await Promise.all([
        this.#lookAtCoordinator(),
        ...[...this.#workers.values()].map((worker) => this.#lookAtWorker(worker)),
      ])
    } catch (error) {
      this.#options.log.error({ err: error }, 'a cluster could not be watched')
    } finally {
      this.#isLooking = false
    }
  }

  async #lookAtCoordinator(): Promise<void> {
    const { log, directory } = this.#options
    const node = this.#coordinator
    if (await this.#states.look(node)) {
      if (await this.#answers(node, PROBE_MS)) this.#coordinatorAnsweredAt = Date.now()
      else if (Date.now() - this.#coordinatorAnsweredAt > SILENT_MS) await end(node, 0)
      return
    }
    if (this.#hasEnded) return
    this.#hasEnded = true
    clearInterval(this.#timer)
    const words = await dyingWords(directory, node.id)
    log.warn({ pid: node.pid, words }, 'the coordinator of a cluster ended')
    this.#tellLoss(`The coordinator of the cluster ended. ${words}`)
  }

  async #lookAtWorker(worker: Worker): Promise<void> {
    if (worker.isMended) return
    if (await this.#states.look(worker.node)) {
      const patienceMs = worker.hasAnswered ? SILENT_MS : START_MS
      if (await this.#answers(worker.node, PROBE_MS))
        Object.assign(worker, { answeredAt: Date.now(), hasAnswered: true })
      else if (Date.now() - worker.answeredAt > patienceMs) await end(worker.node, 0)
      return
    }
    Object.assign(worker, { isMended: true, hasAnswered: false })
    this.#begin(this.#mend(worker).finally(() => (worker.isMended = false)))
  }

  async #mend(worker: Worker): Promise<void> {
    const { nodes, log, directory } = this.#options
    const { id, pid } = worker.node
    log.warn(
      { pid, words: await dyingWords(directory, id) },
      'a worker of a cluster ended, and is started again',
    )
    const wasSteady = worker.answeredAt - worker.node.launchedAt > SILENT_MS
    const restarts = wasSteady ? 0 : worker.restarts + 1
    if (restarts > 1) await sleep(Math.min(1000 * 2 ** restarts, LONGEST_PAUSE_MS))
    if (this.#hasEnded || this.#workers.get(id) !== worker) return
    try {
      const node = await nodes.renew(worker.node)
      this.#workers.delete(id)
      this.#workers.set(node.id, { ...newWorker(node), restarts })
    } catch (error) {
      log.warn({ err: error }, 'a worker of a cluster did not start again')
    }
  }

  async #drain(node: StartedNode): Promise<void> {
    const { log, nodes } = this.#options
    try {
      await drain(this.#address(node))
      const deadline = Date.now() + DRAIN_MS
      while ((await isAlive(node)) && Date.now() < deadline && !this.#hasEnded) await sleep(LOOK_MS)
    } catch (error) {
      log.warn({ err: error }, 'a worker of a cluster could not be drained, and is ended')
    }
    // Its files go with the cluster's where that has been stopped.
    if (this.#hasEnded) return
    await end(node, STOP_MS)
    await nodes.forget(node)
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const newWorker = (node: StartedNode): Worker => ({
  node,
  answeredAt: Date.now(),
  hasAnswered: false,
  restarts: 0,
  isMended: false,
})
