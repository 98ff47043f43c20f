import type { Call, Sent } from '@boathouse/contract/call'

/** By the same rules, with the same words, as the service: the first problem of each field. */
export function problemsOf<C extends Call>(call: C, input: Sent<C>): Partial<Record<string, string>> {
  const problems: Partial<Record<string, string>> = {}
  for (const { path, message } of call.input.safeParse(input).error?.issues ?? [])
    problems[String(path[0])] ??= message
  return problems
}
