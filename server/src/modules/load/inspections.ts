import { randomUUID } from 'node:crypto'
import {
  DEFAULT_CATALOG,
  DEFAULT_DATABASE,
  isSampled,
  LIMITS,
  type Reading,
  type Upload,
} from '@boathouse/contract'
import { quoteString } from '@boathouse/sql'
import type { FinishedOutcome } from '../../engines/engine/outcome.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Log } from '../../kernel/log.ts'
import type { RunFile } from './file-runs.ts'
import { type KeptInspection, readInspection, readingOf } from './inspection.ts'
import type { UploadRow, UploadStore } from './upload-store.ts'
import { arrivedBytes, incomplete } from './upload-row.ts'
import type { Uploads } from './uploads.ts'

export interface InspectionParts {
  readonly uploads: Pick<Uploads, 'own' | 'present'>
  readonly store: Pick<UploadStore, 'inspected' | 'partsOf' | 'unfinishedInspections'>
  readonly runFile: RunFile
  readonly log: Log
}

const CUT_OFF = 'The service ended while it inspected this file. Preview it again.'

const found = (reading: KeptInspection['reading'], outcome: FinishedOutcome): KeptInspection => ({
  state: 'finished',
  reading: outcome.file?.reading ?? reading,
  error: '',
  columns: outcome.result.columns.map(({ name, type }, at) => ({
    name,
    type,
    values: outcome.file?.values?.[at] ?? null,
  })),
  rows: outcome.result.rows.map((row) => [...row]),
  sheets: [...(outcome.file?.sheets ?? [])],
  spoiled: (outcome.file?.spoiled ?? []).map((one) => ({ ...one, rows: [...one.rows] })),
  decimalCommas: (outcome.file?.decimalCommas ?? []).map((one) => ({ ...one, rows: [...one.rows] })),
  ...(outcome.file?.broken && {
    broken: { count: outcome.file.broken.count, rows: [...outcome.file.broken.rows] },
  }),
})

/** Only what extracts a file knows how much it holds. */
const sampledIn = ({ file }: FinishedOutcome, asked: number | null): number | null =>
  file?.sampledBytes === undefined ? asked : file.sampledBytes

const withError = (reading: KeptInspection['reading'], error: string): KeptInspection => ({
  state: 'failed',
  reading,
  error,
  columns: [],
  rows: [],
})

/** Null: all of the file. */
const sampleOf = ({ name, size_bytes }: UploadRow, { format }: Reading): number | null =>
  isSampled(format, { name, sizeBytes: size_bytes }) ? LIMITS.sampleBytes : null

/** What a file contains, detected by an engine that reads all of it, or of a large CSV file the beginning. */
export function createInspections({ uploads, store, runFile, log }: InspectionParts) {
  /** Of this server. */
  const running = new Map<string, Promise<void>>()

  async function inspect(actor: Actor, row: UploadRow, asked: { warehouseId: string; reading: Reading }) {
    const reading = readingOf(asked.reading)
    const sampleBytes = sampleOf(row, asked.reading)
    let kept: KeptInspection
    try {
      const { answer, outcome } = await runFile(actor, {
        requestId: `inspect-${randomUUID()}`,
        text: `INSPECT FILE ${quoteString(row.name)}`,
        order: {
          does: 'inspect',
          file: row.upload_id,
          reading,
          rows: LIMITS.previewRows,
          sampleBytes,
          extractedBytes: LIMITS.sampleBytes,
        },
        catalog: DEFAULT_CATALOG,
        database: DEFAULT_DATABASE,
        warehouseId: asked.warehouseId,
        onAnswer: () => undefined,
      })
      kept =
        answer.state === 'finished' && outcome?.state === 'finished'
          ? { ...found(reading, outcome), sampledBytes: sampledIn(outcome, sampleBytes) }
          : withError(reading, answer.message)
    } catch (error) {
      if (!(error instanceof AppError)) log.error({ err: error }, 'a file could not be inspected')
      kept = withError(reading, error instanceof AppError ? error.message : CUT_OFF)
    }
    await store.inspected(row.upload_id, kept)
  }

  return {
    /** Begins, and answers at once: a large file takes long. */
    async begin(
      actor: Actor,
      { uploadId, ...asked }: { uploadId: string; warehouseId: string; reading: Reading },
    ): Promise<Upload> {
      const row = await uploads.own(actor, uploadId)
      const needed = sampleOf(row, asked.reading) ?? row.size_bytes
      if (arrivedBytes(row, await store.partsOf(uploadId)) < needed) throw incomplete()
      if (running.has(uploadId))
        throw new AppError('Conflict', 'This file is already being inspected. Wait until that is done.')
      // Nothing is awaited between this and the entry.
      const reading = readingOf(asked.reading)
      const begun = store.inspected(uploadId, { ...withError(reading, ''), state: 'running' })
      const work = begun
        .then(() => inspect(actor, row, asked))
        .catch((error: unknown) => log.error({ err: error }, 'what was found in a file was not written down'))
        .finally(() => running.delete(uploadId))
      running.set(uploadId, work)
      await begun
      return uploads.present(await uploads.own(actor, uploadId))
    },

    /** Before anyone can ask: what the last server was looking at is over. */
    async recover(): Promise<void> {
      for (const row of await store.unfinishedInspections()) {
        const kept = readInspection(row)
        if (kept) await store.inspected(row.upload_id, withError(kept.reading, CUT_OFF))
      }
    },

    async close(): Promise<void> {
      await Promise.all(running.values())
    },
  }
}
