export const POOLED_BYTES = 128 * 1024
const MOST_KEPT = 64

const free: Buffer[] = []

/** Buffers that rows are written to: large ones cost more to make than to fill. */
export const takeBuffer = (): Buffer => free.pop() ?? Buffer.allocUnsafeSlow(POOLED_BYTES)

/** Nobody may use it any more. */
export function giveBuffer(buffer: Buffer): void {
  if (buffer.length === POOLED_BYTES && free.length < MOST_KEPT) free.push(buffer)
}
