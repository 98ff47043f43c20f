/** What comes, cut into parts of so many bytes; the last may be shorter. Each is read before the next. */
export async function* partsOfBody(
  body: AsyncIterable<Buffer>,
  partBytes: number,
): AsyncGenerator<AsyncIterable<Buffer>> {
  const chunks = body[Symbol.asyncIterator]()
  let left: Buffer | null = await nextOf(chunks)

  async function* part(): AsyncGenerator<Buffer> {
    let room = partBytes
    while (left && room > 0) {
      const taken = left.subarray(0, room)
      room -= taken.length
      left = taken.length < left.length ? left.subarray(taken.length) : await nextOf(chunks)
      yield taken
    }
  }

  try {
    while (left) yield part()
  } finally {
    await chunks.return?.()
  }
}

async function nextOf(chunks: AsyncIterator<Buffer>): Promise<Buffer | null> {
  const { done, value } = await chunks.next()
  return done ? null : value
}
