import type { Rewriting } from '@boathouse/sql'
import type { Written } from '../../engine/written.ts'
import { type Informed, informedBy, withOwnInformation } from '../guard/information-views.ts'
import { asClientsMean } from './driver-questions.ts'
import { render } from './render.ts'

interface RunText {
  readonly sql: string
  /** Of what its user wrote; null where it is run as it was written. */
  readonly rendering: Rewriting | null
  /** Which `information_schema` it names; null: none. */
  readonly informs: Informed | null
}

/** A text as it is run, in a session of this catalog. One that has no `written` is the service's own, in DuckDB's words. */
export function runText(text: string, written: Written | undefined, catalog: string | null): RunText {
  const informed = informedBy(written)
  const asked = informed === 'mysql' ? asClientsMean(text, written, catalog) : text
  const rendering = written ? render(asked, written) : null
  const own = rendering?.text ?? asked
  const sql = withOwnInformation(own, informed)
  return { sql, rendering, informs: sql === own ? null : informed }
}
