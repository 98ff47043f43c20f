import { randomUUID } from 'node:crypto'

let lastMs = 0
let counter = 0

/** A UUID of version 7 that is greater than every one made here before, so that ids sort by when they were made. */
export function timeOrderedId(now = Date.now()): string {
  // 12 bits count within a millisecond; when they are used up, the next millisecond is borrowed.
  if (now > lastMs) [lastMs, counter] = [now, 0]
  else if (++counter > 0xfff) [lastMs, counter] = [lastMs + 1, 0]
  const time = lastMs.toString(16).padStart(12, '0')
  const count = counter.toString(16).padStart(3, '0')
  // Its last two parts are the same in version 7.
  const variantAndRandom = randomUUID().slice(-18)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}${variantAndRandom}`
}
