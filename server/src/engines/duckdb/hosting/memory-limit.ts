import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { EngineSize } from '../../engine/provider.ts'
import { located } from './confinement.ts'
import type { HostUser } from './host-user.ts'

const MIB = 1024 * 1024
// The system counts what a process could write to, so 64 stacks of 8 MiB that are hardly touched are in it. A host at
// rest has 620 MiB, of which 25 are real; the rest is for the result writer, and for results in JavaScript and on their way.
const ALLOWANCE_BYTES = 2560 * MIB
/** Of DuckDB's own limit: what it takes without counting it. Most seen: 1.5, with results in JavaScript. */
const OF_DUCKDB = 1.5
/** Stacks: the account's DuckDB and the result writer have a thread each for every one that is given. */
const A_THREAD_BYTES = 2 * 8 * MIB

/** Memory that a host of this size may have, in bytes. More than that the system refuses it. */
export function mostBytes({ threads, memoryBytes }: EngineSize): number {
  return ALLOWANCE_BYTES + Math.ceil(memoryBytes * OF_DUCKDB) + threads * A_THREAD_BYTES
}

export interface LimitedProcess {
  readonly pid: number
  readonly user: HostUser | null
}

// A shell starts programs in half a millisecond. From here each would block the server for five: it is large, and a
// process is copied before it starts a program.
const RUN_EACH_LINE = 'while read -r words; do said=$($words 2>&1); echo $? $said; done'

/** Sets limits of processes that are running already. Its shell ends with this process, however that ends. */
export class MemoryLimits {
  private shell: ChildProcess | null = null
  private readonly waiting: ((answer: string) => void)[] = []

  /** Has the shell started before it is needed. */
  prepare(): void {
    if (isPossible()) this.shell ??= this.start()
  }

  /** Rejects when the system does not let us. Where there is no such limit, nothing is done. */
  async set({ pid, user }: LimitedProcess, bytes: number): Promise<void> {
    if (!isPossible()) return
    // As the user of that process: in a container root may not change another user's limits. The hard limit stays
    // where it is, or we could not raise this one again.
    const command = [...(user ? as(user) : []), ...located(['prlimit', `--pid=${pid}`, `--data=${bytes}:`])]
    const answer = await this.run(command.join(' '))
    if (answer !== '0') throw new Error(`prlimit does not set the memory of process ${pid}: ${answer}`)
  }

  close(): void {
    this.shell?.stdin?.end()
  }

  private run(line: string): Promise<string> {
    this.shell ??= this.start()
    return new Promise((resolve) => {
      this.waiting.push(resolve)
      this.shell?.stdin?.write(`${line}\n`)
    })
  }

  private start(): ChildProcess {
    const shell = spawn('/bin/sh', ['-c', RUN_EACH_LINE], {
      cwd: '/',
      env: {},
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const lost = (why: string) => {
      if (this.shell === shell) this.shell = null
      for (const answer of this.waiting.splice(0)) answer(why)
    }
    shell.on('error', (error) => lost(error.message))
    shell.on('close', () => lost('the shell that was asked ended'))
    // The event above reports its end.
    shell.stdin.on('error', () => undefined)
    createInterface({ input: shell.stdout }).on('line', (line) => this.waiting.shift()?.(line))
    // It must not keep this process from ending.
    for (const one of [shell, shell.stdin, shell.stdout] as const) unref(one)
    return shell
  }
}

/** Makes room for a size, or takes it back, around the change that makes the engine of that size. */
export type FitMemory = (size: EngineSize, change?: () => Promise<unknown>) => Promise<void>

export interface FitMemoryOptions {
  set(bytes: number): Promise<void>
  /** The limit stays where it was: no statement suffers from that. */
  onTrouble(error: unknown): void
}

/** One change after the other; during a change of size, the larger limit applies. */
export function fitMemory({ set, onTrouble }: FitMemoryOptions): FitMemory {
  let allowed = 0
  let last: Promise<void> = Promise.resolve()

  async function allow(bytes: number): Promise<void> {
    try {
      await set(bytes)
      allowed = bytes
    } catch (error) {
      onTrouble(error)
    }
  }

  async function fit(bytes: number, change: () => Promise<unknown>): Promise<void> {
    if (bytes > allowed) await allow(bytes)
    await change()
    if (bytes < allowed) await allow(bytes)
  }

  return (size, change = async () => undefined) => {
    const next = last.then(() => fit(mostBytes(size), change))
    last = next.catch(() => undefined)
    return next
  }
}

function isPossible(): boolean {
  return process.platform === 'linux' && located(['prlimit'])[0] !== 'prlimit'
}

function as({ uid, gid }: HostUser): readonly string[] {
  return located(['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'])
}

function unref(handle: object): void {
  if ('unref' in handle && typeof handle.unref === 'function') handle.unref()
}
