import type { Column } from './columns.ts'
import { LEAD_BYTES } from './packed-rows.ts'
import type { RowBatch, RowSink } from './sink.ts'

/** A sink takes no more rows, or the statement is to end while the sink is busy. Either way it is cancelled. */
export class RowsNotWanted extends Error {
  override readonly name = 'RowsNotWanted'
}

/** What an engine does with a sink: fills it, counts what goes there, and ends with the statement. */
export class SinkFilling {
  rows = 0
  /** Of the texts. */
  bytes = 0
  private columns = 0

  constructor(
    private readonly sink: RowSink,
    /** Aborted when the statement is to end. */
    private readonly stop: AbortSignal,
  ) {}

  begin(columns: readonly Column[]): Promise<void> {
    this.columns = columns.length
    return this.until(async () => this.sink.begin(columns))
  }

  async write(batch: RowBatch): Promise<void> {
    await this.until(() => this.sink.write(batch))
    this.rows += batch.rows
    for (const { data } of batch.columns) this.bytes += data.length
    if (batch.packed) this.bytes += batch.packed.length - batch.rows * (LEAD_BYTES + this.columns)
  }

  end(): Promise<void> {
    return this.until(async () => this.sink.end?.())
  }

  /** Not raced with a promise that lasts for all batches: each race would leave something behind. */
  private until(work: () => Promise<void>): Promise<void> {
    const { stop } = this
    return new Promise((resolve, reject) => {
      const end = (cause?: unknown) =>
        reject(new RowsNotWanted('The rows are not wanted any more.', { cause }))
      if (stop.aborted) return end()
      stop.addEventListener('abort', end, { once: true })
      work()
        .then(resolve, end)
        .finally(() => stop.removeEventListener('abort', end))
    })
  }
}
