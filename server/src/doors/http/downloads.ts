import { createReadStream } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { stat } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError } from '../../kernel/app-error.ts'

interface DownloadFile {
  readonly file: string
  readonly file_name: string
  readonly format: string
}

interface TakenFile extends DownloadFile {
  /** When it was sent, or could not be. */
  remove(): Promise<void>
}

/** The file behind a link; undefined when the link is not good (any more). */
export interface Downloads {
  look(code: string, clientIp: string): Promise<DownloadFile | undefined>
  /** Once. */
  take(code: string, clientIp: string): Promise<TakenFile | undefined>
}

const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

async function describe<F extends DownloadFile>(reply: FastifyReply, download: F | undefined): Promise<F> {
  if (!download)
    throw new AppError('NotFound', 'This link was already used or has expired. Export the result again.')
  const { size } = await stat(download.file)
  reply
    .header('content-type', TYPES[download.format] ?? 'application/octet-stream')
    .header('content-length', size)
    .header('content-disposition', `attachment; filename="${download.file_name}"`)
    .header('cache-control', 'no-store')
  return download
}

/**
 * A browser fetches a file by a plain link, so the link itself is the permission: long, secret, good once, and only from
 * where the account lets people in.
 */
export function mountDownloads(
  app: FastifyInstance,
  downloads: Downloads,
  clientIpOf: (request: IncomingMessage) => string,
): void {
  const url = '/download/:code'
  // Programs that fetch files, and those that look at links for people, ask with HEAD first.
  app.head<{ Params: { code: string } }>(url, async (request, reply) => {
    await describe(reply, await downloads.look(request.params.code, clientIpOf(request.raw)))
    return reply.send()
  })
  app.get<{ Params: { code: string } }>(url, async (request, reply) => {
    const taken = await downloads.take(request.params.code, clientIpOf(request.raw))
    const { file, remove } = await describe(reply, taken)
    const stream = createReadStream(file)
    stream.once('close', () => {
      remove().catch((error: unknown) =>
        request.log.warn({ err: error }, 'a file that was fetched could not be removed'),
      )
    })
    return reply.send(stream)
  })
}
