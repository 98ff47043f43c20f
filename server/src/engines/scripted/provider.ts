import type { Capabilities } from '../engine/capabilities.ts'
import { NO_NAME_RULES } from '../engine/name-rules.ts'
import { createFaultyProvider, type FaultyProvider } from '../fault-injection/provider.ts'
import { ScriptedAccount } from './account.ts'
import { Script, type ScriptedAnswer } from './script.ts'

export interface ScriptedProvider extends FaultyProvider {
  /** What is answered when this very text is run the next times, one answer each time. */
  answer(sql: string, ...answers: readonly ScriptedAnswer[]): void
}

export interface ScriptedOptions {
  readonly without?: readonly (keyof Capabilities)[]
}

/**
 * A second engine: a little SQL on tables in memory, with words of its own, and whatever else a test wants it to answer.
 * There to be opened in no time, and to show that nothing outside an engine counts on how another one does it.
 */
export function createScriptedProvider({ without = [] }: ScriptedOptions = {}): ScriptedProvider {
  const script = new Script()
  const provider = createFaultyProvider({
    id: 'scripted',
    label: 'Scripted',
    nameRules: { ...NO_NAME_RULES, drawingCalls: new Set(['nextval']) },
    version: 'v1',
    without,
    openAccount: async ({ directory, resultsDirectory = directory }) =>
      new ScriptedAccount(resultsDirectory, script),
  })
  return { ...provider, answer: (sql, ...answers) => script.add(sql, answers) }
}
