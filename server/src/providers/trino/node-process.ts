import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Installation } from './installation.ts'
import { javaArguments, nodeDirectory, type NodePlan } from './node-files.ts'
import { type FileOwner, noneIfUnreadable } from './private-files.ts'
import { identify, type ProcessIdentity } from './process-identity.ts'
import { ClusterRefused } from './refused.ts'
import { whatHelps } from './what-helps.ts'

/** A process of a cluster that was started, now or by an earlier service. */
export interface StartedNode extends NodePlan, ProcessIdentity {
  /** In milliseconds since 1970. */
  readonly launchedAt: number
  /** It takes no more work. */
  readonly isLeaving?: true
}

export interface SpawnOptions {
  readonly installation: Installation
  readonly directory: string
  /** Secrets: they are in no file that a node reads. */
  readonly environment: Readonly<Record<string, string>>
  /** What makes a start faster. */
  readonly cache: readonly string[]
  readonly owner: FileOwner
}

const CONSOLE_FILE = 'console.log'
/** Of the end of a log, in bytes. */
const MOST_READ = 64 * 1024
const PORT_TAKEN = /Address already in use|Failed to bind/i

/** One that nothing listens on at this moment. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

export async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
    probe.close()
    await once(probe, 'close')
    return port > 0
  } catch {
    return false
  }
}

/** Resolves when the process is there; it is not ready yet. It outlives the service, which finds it again. */
export async function spawnNode(node: NodePlan, options: SpawnOptions): Promise<StartedNode> {
  const { installation, directory, environment, cache, owner } = options
  const place = nodeDirectory(directory, node.id)
  const output = await open(join(place, CONSOLE_FILE), 'w', 0o600)
  try {
    const child = spawn(
      installation.java,
      javaArguments(node, { home: installation.home, directory, cache }),
      {
        cwd: place,
        // Detached: Ctrl+C in the terminal must reach the service alone, so that it ends statements in order.
        detached: true,
        env: { LANG: 'C.UTF-8', ...environment },
        stdio: ['ignore', output.fd, output.fd],
        ...owner,
      },
    )
    await Promise.race([
      once(child, 'spawn'),
      // Rejects with the error.
      once(child, 'exit'),
    ])
    child.unref()
    const found = child.pid === undefined ? null : await identify(child.pid)
    if (!found)
      throw new ClusterRefused(`The node ${node.id} ended at once. ${await lastWords(directory, node.id)}`)
    return { ...node, ...found, launchedAt: Date.now() }
  } catch (error) {
    if (error instanceof ClusterRefused) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new ClusterRefused(`The node ${node.id} could not be started: ${reason}`, { cause: error })
  } finally {
    await output.close()
  }
}

async function endOf(file: string): Promise<string> {
  try {
    const opened = await open(file, 'r')
    try {
      const { size } = await opened.stat()
      const length = Math.min(size, MOST_READ)
      const { buffer } = await opened.read(Buffer.alloc(length), 0, length, size - length)
      return buffer.toString('utf8')
    } finally {
      await opened.close()
    }
  } catch (error) {
    return noneIfUnreadable(error) ?? ''
  }
}

/** Lines that say what is wrong, among those that say what is done. */
const isTrouble = (line: string): boolean =>
  /\tERROR\t|^\d+\) |^Caused by: |\berror|exception|unable to|could not|cannot|OutOfMemory/i.test(line) &&
  !/WARNING|\t(?:INFO|WARN)\t/.test(line)

/** What a node that does not start said last, as far as it helps: on its console, else in its log. */
export const lastWords = async (directory: string, id: string): Promise<string> =>
  troubleIn(await textsOf(directory, id))

/** The same of one that had started: its log is full of troubles that are over. What ends it, its Java says on its console. */
export const dyingWords = async (directory: string, id: string): Promise<string> =>
  troubleIn((await textsOf(directory, id)).slice(0, 1))

function troubleIn(texts: readonly string[]): string {
  const trouble = texts.flatMap((text) => text.split('\n').filter(isTrouble))
  return whatHelps(trouble.join('\n')) || 'It said nothing of why.'
}

/** Whether it ended because somebody else listens on its port. */
export async function lostItsPort(directory: string, id: string): Promise<boolean> {
  return (await textsOf(directory, id)).some((text) => PORT_TAKEN.test(text))
}

async function textsOf(directory: string, id: string): Promise<string[]> {
  const place = nodeDirectory(directory, id)
  return Promise.all([endOf(join(place, CONSOLE_FILE)), endOf(join(place, 'server.log'))])
}
