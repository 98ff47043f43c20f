import { findRunning } from '@boathouse/server/running-server'

const ANSWER_MS = 3_000

type Running = NonNullable<Awaited<ReturnType<typeof findRunning>>>
export type Status =
  | { readonly running: false }
  | (Running & {
      readonly running: true
      /** The state of each, in a few words. */
      readonly parts: Readonly<Record<string, string>>
    })

/** State of each part as the server itself reports it; `unreachable` when it does not answer. */
async function partsOf(url: string): Promise<Record<string, string>> {
  try {
    const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(ANSWER_MS) })
    const body = (await answer.json()) as { parts?: Record<string, string>; message?: string }
    return { http: answer.ok ? 'running' : 'failing', ...body.parts }
  } catch (error) {
    return { http: `unreachable (${error instanceof Error ? error.message : String(error)})` }
  }
}

/** What people read: where the console is, and where programs connect or why they cannot. */
export function statusLines(status: Status, dataDir: string): string[] {
  if (!status.running) return [`Boathouse is not running with the data in ${dataDir}.`]
  const { version, url, region, accountId, clusters, parts } = status
  // The server of a region has no account of its own.
  const place = accountId === '' ? `region ${region}` : `account ${accountId}`
  const { mysql } = parts
  return [
    `Boathouse ${version} runs at ${url} (${place})`,
    ...(mysql === undefined ? [] : [`MySQL endpoint: ${mysql}`]),
    ...(clusters === undefined ? [] : [`Clusters: ${clusters}`]),
  ]
}

export async function serverStatus(dataDir: string): Promise<Status> {
  const server = await findRunning(dataDir)
  if (!server) return { running: false as const }
  return { running: true as const, ...server, parts: await partsOf(server.url) }
}
