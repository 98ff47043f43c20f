import type { FileOrder, FileReport } from '../../engine/files.ts'
import type { ExecuteOptions } from '../../engine/run.ts'
import { FailedWithFile, type FileStatementParts, runFileStatement } from './file-statement.ts'
import type { Ran } from './ran.ts'
import { runStreamStatement, type StreamStatementParts } from './stream-statement.ts'

export type FileOrderParts = FileStatementParts & StreamStatementParts

/** The service's own work on files, in the place of a statement. */
export const runFileOrder = (
  parts: FileOrderParts,
  order: FileOrder,
  options: ExecuteOptions,
): Promise<Ran> =>
  order.does === 'stream'
    ? runStreamStatement(parts, order, options)
    : runFileStatement(parts, order, options)

/** What is known of a file although the work on it failed. */
export const knownOfFile = (error: unknown): { readonly file?: FileReport } =>
  error instanceof FailedWithFile ? { file: error.file } : {}
