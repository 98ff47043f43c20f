import { findRunning } from '@boathouse/server/running-server'

const ANSWER_MS = 3_000

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

export async function serverStatus(dataDir: string) {
  const server = await findRunning(dataDir)
  if (!server) return { running: false as const }
  return { running: true as const, ...server, parts: await partsOf(server.url) }
}
