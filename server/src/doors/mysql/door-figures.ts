import type { Metrics } from '../metrics/metrics.ts'
import type { Figures } from './link/messages.ts'

/** Adds what the process has counted since it last said so. */
export function countFigures({ mysql }: Metrics, figures: Figures): void {
  mysql.connections.set(figures.open)
  mysql.accepted.inc(figures.accepted)
  for (const [cause, count] of Object.entries(figures.refused)) mysql.refused.inc({ cause }, count)
  mysql.bytes.inc({ direction: 'in' }, figures.bytesIn)
  mysql.bytes.inc({ direction: 'out' }, figures.bytesOut)
  mysql.commands.inc(figures.commands)
}
