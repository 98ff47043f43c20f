import { randomUUID } from 'node:crypto'
import { link, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { uploadFile } from '../../engine/files.ts'
import { StatementRefused } from '../errors.ts'
import type { ExtractedFile } from './extracted-file.ts'
import type { SheetTools } from './sheet-source.ts'

export interface FilePlaces {
  /** The account's. */
  readonly directory: string
  /** The only folder that DuckDB may touch, apart from its own file. */
  readonly temporary: string
}

export interface LinkedFile extends ExtractedFile {
  readonly tools: SheetTools
}

/**
 * An upload under a second name in DuckDB's temporary folder, for as long as the work takes. DuckDB's settings stay
 * as they are, no statement can name the file, since its name is random, and after a crash the folder is emptied.
 */
export async function withLinked<T>(
  { directory, temporary }: FilePlaces,
  name: string,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const path = join(temporary, `file-${randomUUID()}`)
  await link(uploadFile(directory, name), path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? gone() : error
  })
  try {
    return await work(path)
  } finally {
    await rm(path, { force: true })
  }
}

const gone = () =>
  new StatementRefused({
    kind: 'missing',
    message: 'The uploaded file no longer exists. Upload it again.',
  })
