import type { DuckDBDataChunk } from '@duckdb/node-api'

// Of chunks whose memory is given back by the collector of garbage alone, which does not see how large they are.
const CHUNKS_TO_COLLECT = 32

/** Gives back the memory of chunks whose rows are somewhere else by now. */
export class PassedChunks {
  private count = 0

  release(chunk: DuckDBDataChunk): void {
    chunk.reset()
    if (++this.count % CHUNKS_TO_COLLECT === 0) globalThis.gc?.({ type: 'minor' })
  }
}
