import { existsSync, readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename } from 'node:path'

const THIS_THREAD = '/proc/thread-self'
/** Of 19, the least there is. */
const NICENESS = 10

/** The thread that serves everyone goes first where there are fewer processors than threads. Known to Linux alone. */
export function yieldToOthers(): void {
  if (existsSync(THIS_THREAD)) setPriority(Number(basename(readlinkSync(THIS_THREAD))), NICENESS)
}
