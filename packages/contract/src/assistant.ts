import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { LIMITS } from './limits.ts'

/** To say what is wrong, to say what a statement does, or to write one. */
export const ASSISTANT_TASKS = ['error', 'statement', 'draft'] as const
export type AssistantTask = (typeof ASSISTANT_TASKS)[number]

/** Help by a model that the operator has configured. Without one there is none, and nothing is sent anywhere. */
export const assistant = {
  about: defineCall({
    path: '/assistant/about',
    summary: 'Get which assistant is configured, and where it is',
    needs: 'login',
    silent: true,
    input: z.object({}),
    output: z.object({
      /** Null: the operator has configured none. */
      assistant: z.nullable(z.object({ host: z.string(), model: z.string() })),
    }),
  }),
  /** Exactly this text is sent, with a line before it that says what is wanted. Rows are never added to it. */
  ask: defineCall({
    path: '/assistant/ask',
    summary: 'Send a text to the assistant and get its answer',
    needs: 'login',
    silent: true,
    refusesKeys: true,
    stopsWithCaller: true,
    timeoutMs: 100_000,
    input: z.object({
      task: z.enum(ASSISTANT_TASKS),
      text: z.string().check(z.trim(), z.minLength(1, 'Write a text'), z.maxLength(LIMITS.assistantLength)),
    }),
    output: z.object({ answer: z.string() }),
    fails: ['NotFound', 'TooManyAttempts', 'Unavailable', 'Cancelled'],
  }),
}
