import { AppError } from './app-error.ts'

/** Of PostgreSQL, and of the system: the disk, or what this user may have of it. */
const CODES = new Set<unknown>(['53100', 'ENOSPC', 'EDQUOT'])
/** Of the system, wherever an engine repeats them. */
const WORDS = /No space left on device|Disk quota exceeded/i

export const DISK_FULL =
  'The disk of the service is full. Nothing was changed, and nothing acknowledged before is lost. The operator of the service must free space; then try again.'

/** Whether this failed because the disk is full, wherever that was noticed. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && CODES.has(error.code)) || saysDiskFull(error.message)
}

export const saysDiskFull = (message: string): boolean => WORDS.test(message)

export const diskFull = (cause: unknown): AppError => new AppError('DiskFull', DISK_FULL, { cause })
