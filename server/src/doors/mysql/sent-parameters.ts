import type { ParameterValue } from '../../modules/query/sessions/parameters.ts'
import type { SentParameter } from './link/messages.ts'

/** A value as the query service takes it. */
export function parameterOf(sent: SentParameter): ParameterValue {
  switch (sent.type) {
    case 'null':
      return null
    case 'bytes':
      return sent
    case 'integer':
    case 'unsigned':
    case 'double':
    case 'decimal':
      return { type: 'number', text: sent.text }
    case 'text':
    case 'date':
    case 'time':
    case 'timestamp':
      return { type: sent.type, text: sent.text }
  }
}
