import { quotedString } from '@duckdb/node-api'
import type { EngineError } from '../../engine/outcome.ts'

/** DuckDB calls whatever a macro raises 'Invalid Input': ours carry their kind in front of their words. */
const RAISED = /^\[boathouse:permission\] /

/** In a macro of ours: fails, as something that the engine never does. `place` is that of DuckDB's own functions. */
export const refuses = (words: string, place = 'system.main'): string =>
  `${place}.error(${quotedString(`[boathouse:permission] ${words}`)})`

/** Of an error that a macro of ours has raised; null for any other. */
export const readRaised = (message: string): Pick<EngineError, 'kind' | 'message'> | null =>
  RAISED.test(message) ? { kind: 'permission', message: message.replace(RAISED, '') } : null
