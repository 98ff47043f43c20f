import { Socket } from 'node:net'
import type { Column } from '../../engine/columns.ts'
import { batchParts, bytesOf, lentBatch } from '../../engine/batch-bytes.ts'
import type { TakenBytes } from '../../engine/batch-memory.ts'
import type { RowBatch } from '../../engine/sink.ts'

/**
 * Rows of statements that have a sink, on a pipe of their own: they are many, and answers to others do not wait behind
 * them. The host sends frames, and the server grants their bytes back once the sink has taken them.
 *
 * A frame is the number of its statement, its kind and the length of what follows, each of 32 bits. All numbers are as
 * both processes have them, which run on one machine.
 */
export const FRAME_HEAD = 12
const COLUMNS = 0
const BATCH = 1
const END = 2

/** A grant is the number of the statement and how many bytes of it were taken. */
export const GRANT_BYTES = 8

/** Of one statement's frames that are on their way. A frame that is larger is sent alone. */
export const WINDOW_BYTES = 1024 * 1024
/** Of a frame: a row has no more than 64 MB of text, and some bytes for each column. */
export const MOST_FRAME_BYTES = 72 * 1024 * 1024

/** Where the pipe stands among those that a host is started with. */
export const ROWS_PIPE = 5

/** This process's end of it. */
export const rowsPipe = (): Socket => new Socket({ fd: ROWS_PIPE, readable: true, writable: true })

export interface Frame {
  readonly statement: number
  readonly bytes: number
  readonly content: FrameContent
}

/** `end` is behind the last row. */
export type FrameContent = { readonly columns: readonly Column[] } | { readonly batch: RowBatch } | 'end'

/** On its way: parts that are written one behind the other, and how many bytes it is granted by. */
export interface SentFrame {
  readonly parts: readonly Uint8Array[]
  readonly bytes: number
  /** Called when nothing reads the parts any more. */
  readonly left?: () => void
}

export function columnsFrame(statement: number, columns: readonly Column[]): SentFrame {
  return frame({ statement, kind: COLUMNS }, [Buffer.from(JSON.stringify(columns))])
}

/** No frame is empty: it is granted by its bytes. */
export const endFrame = (statement: number): SentFrame =>
  frame({ statement, kind: END }, [bytesOf(Uint32Array.of(0))])

export const batchFrame = (statement: number, batch: RowBatch): SentFrame => ({
  ...frame({ statement, kind: BATCH }, batchParts(batch)),
  left: () => batch.release?.(),
})

function frame(
  { statement, kind }: { statement: number; kind: number },
  content: readonly Uint8Array[],
): SentFrame {
  const bytes = content.reduce((sum, part) => sum + part.length, 0)
  return { parts: [bytesOf(Uint32Array.of(statement, kind, bytes)), ...content], bytes }
}

/** What a frame holds, of the bytes behind its head. A batch lies in them. */
export function contentOf(kind: number, taken: TakenBytes): FrameContent {
  if (kind === COLUMNS) return { columns: JSON.parse(Buffer.from(taken.bytes).toString()) as Column[] }
  if (kind === BATCH) return { batch: lentBatch(taken) }
  if (kind === END) return 'end'
  throw new RangeError('A frame of rows is of an unknown kind.')
}
