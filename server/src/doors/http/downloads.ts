import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../kernel/app-error.ts'

export interface DownloadFile {
  readonly file: string
  readonly file_name: string
  readonly format: string
}

/** The file behind a link, once; undefined when the link is not good (any more). */
export type TakeDownload = (code: string) => Promise<DownloadFile | undefined>

const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** A browser fetches a file by a plain link, so the link itself is the permission: long, secret and good once. */
export function mountDownloads(app: FastifyInstance, takeDownload: TakeDownload): void {
  app.get<{ Params: { code: string } }>('/download/:code', async (request, reply) => {
    const download = await takeDownload(request.params.code)
    if (!download)
      throw new AppError('NotFound', 'This link was used already or is too old. Export the result again.')
    const { size } = await stat(download.file)
    const stream = createReadStream(download.file)
    stream.once('close', () => {
      rm(download.file, { force: true }).catch((error: unknown) =>
        request.log.warn({ err: error }, 'a file that was fetched could not be removed'),
      )
    })
    return reply
      .header('content-type', TYPES[download.format] ?? 'application/octet-stream')
      .header('content-length', size)
      .header('content-disposition', `attachment; filename="${download.file_name}"`)
      .header('cache-control', 'no-store')
      .send(stream)
  })
}
