import { log } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { ErrorReports } from './service.ts'

export const logCalls = (reports: ErrorReports) =>
  implement(log, {
    report: async (from, { message }) => {
      await reports.report(from, message)
      return {}
    },
  })
