import { AppError } from '../../../kernel/app-error.ts'

/** A file that a pipe may load, as it was listed. */
export interface SourceFile {
  /** As users read and write it. */
  readonly path: string
  /** Behind the place that the pipe looks at. */
  readonly key: string
  readonly sizeBytes: number
  /** Another one when its content is. */
  readonly version: string
  readonly changedAt: Date
}

/**
 * `changed`: it is another file by now; `gone`: it is not there; `unreachable`: it may be later; `refused`: not before
 * somebody does something about it.
 */
export type SourceReason = 'changed' | 'gone' | 'unreachable' | 'refused'

/** Why files cannot be listed or read. */
export class SourceTrouble extends AppError {
  constructor(
    readonly reason: SourceReason,
    message: string,
    options: { cause?: unknown } = {},
  ) {
    super(reason === 'unreachable' ? 'Unavailable' : 'QueryFailed', message, options)
  }
}

export const fileChanged = () =>
  new SourceTrouble('changed', 'The file changed while it was read. It is loaded when it no longer changes.')

export const fileGone = () => new SourceTrouble('gone', 'The file is no longer there.')

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)

/** Whether a name below a place is one that the pattern means. Names that begin with . or _ are nobody's. */
export function nameMatcher(pattern: string): (key: string) => boolean {
  const source = pattern
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((part) => {
      if (part === '**/') return '(?:.*/)?'
      if (part === '**') return '.*'
      if (part === '*') return '[^/]*'
      return part === '?' ? '[^/]' : escaped(part)
    })
    .join('')
  const matches = new RegExp(`^${source}$`, 'su')
  return (key) => !/(?:^|\/)[._]/.test(key) && matches.test(key)
}

/** Whether files in folders below are meant, too. */
export const reachesBelow = (pattern: string): boolean => pattern.includes('/') || pattern.includes('**')
